import type { DeliveryOptions } from "../webhooks/deliveries.ts";
import type { Metrics } from "./metrics.ts";

/** Measures the tries to send webhooks. */
export const webhookTelemetry =
  ({ webhookSeconds }: Metrics): NonNullable<DeliveryOptions["onTry"]> =>
  (outcome, seconds) =>
    webhookSeconds.observe({ outcome }, seconds);
