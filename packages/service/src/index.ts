export { type DatabaseFinding, examineDatabase } from "./app/examine-database.ts";
export { migrateDatabase } from "./app/migrate-database.ts";
export type { NewTenant, ServiceTenant } from "./app/service-tenant.ts";
export { type RunningService, startService } from "./app/start-service.ts";
export { serviceOptions, unknownVariables } from "./settings/options.ts";
export type { ServiceOptions } from "./settings/settings.ts";
export { keepHeapSmall } from "./system/heap.ts";
