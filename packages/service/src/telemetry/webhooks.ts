import type { DeliveryOptions } from "../webhooks/deliveries.ts";
import type { Metrics } from "./metrics.ts";

export const webhookTelemetry =
  ({ webhookSeconds }: Metrics): NonNullable<DeliveryOptions["onTry"]> =>
  (outcome, seconds) =>
    webhookSeconds.observe({ outcome }, seconds);
