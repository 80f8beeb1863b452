export {
  type NewTenant,
  type RunningService,
  type ServiceOptions,
  type ServiceTenant,
  startService,
} from "@lading/service";
