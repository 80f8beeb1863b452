export { type RunningService, startService } from "./app.ts";
export { serviceOptions, unknownVariables } from "./config.ts";
export { type DatabaseFinding, examineDatabase } from "./examine-database.ts";
export { keepHeapSmall } from "./heap.ts";
export type { ServiceOptions } from "./settings.ts";
