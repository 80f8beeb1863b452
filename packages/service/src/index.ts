export { type RunningService, startService } from "./app.ts";
export { type ServiceOptions, serviceOptions, unknownVariables } from "./config.ts";
export { type DatabaseFinding, examineDatabase } from "./examine-database.ts";
