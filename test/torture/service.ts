import { flushCompileCache } from "node:module";
import type { FaultPoint } from "../../packages/service/src/app/fault-injection.ts";
import { type RunningService, type ServiceOptions, startService } from "../../packages/service/src/index.ts";

/** Where a process kills itself: when it comes to this point for the nth time. */
export interface Fault {
  point: FaultPoint;
  nth: number;
}

/** What a process of the fleet is told. */
export type Order = { start: ServiceOptions } | { fault: Fault } | "stop";

/** A service that is started when it is told to, and dies at a named point, as if it had been killed there. */
let service: RunningService | undefined;
let fault: Fault | undefined;
const at = async (point: FaultPoint) => {
  if (point === fault?.point && --fault.nth === 0) process.kill(process.pid, "SIGKILL");
};
process.on("disconnect", () => process.exit());
process.on("message", async (order: Order) => {
  if (order === "stop") {
    await service?.stop();
    process.exit();
  } else if ("fault" in order) fault = order.fault;
  else {
    service = await startService(order.start, { faults: { at } });
    process.send?.({ url: service.url, operatorToken: service.operatorToken });
  }
});
// Who is killed does not write the cache when it ends.
flushCompileCache();
process.send?.("loaded");
