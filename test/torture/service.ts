import { flushCompileCache } from "node:module";
import type { FaultPoint } from "../../packages/service/src/app/fault-injection.ts";
import { type RunningService, type ServiceOptions, startService } from "../../packages/service/src/index.ts";

/** The point at which a process kills itself: the nth time that it reaches this point. */
export interface Fault {
  point: FaultPoint;
  nth: number;
}

/** An order to a process of the fleet. */
export type Order = { start: ServiceOptions } | { fault: Fault } | "stop";

/** Started by an order; dies at a named point, as if it had been killed there. */
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
// A process that is killed does not write the cache when it ends.
flushCompileCache();
process.send?.("loaded");
