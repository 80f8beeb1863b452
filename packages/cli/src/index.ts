export { type RunningService, type ServiceOptions, startService } from "@lading/service";
