export { type RunningService, startService } from "./app.ts";
export { type ServiceOptions, serviceOptions } from "./config.ts";
