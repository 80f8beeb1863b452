import type { FaultPoint } from "../../packages/service/src/faults.ts";
import { type ServiceOptions, startService } from "../../packages/service/src/index.ts";

/** What a process of the fleet is started with. */
export interface ServiceOrder {
  options: ServiceOptions;
  /** Where it kills itself: when it comes to this point for the nth time. */
  fault?: { point: FaultPoint; nth: number };
}

/** A service that dies at a named point, as if it had been killed there. */
const { options, fault } = JSON.parse(process.argv[2] as string) as ServiceOrder;
let times = 0;
const at = async (point: FaultPoint) => {
  if (point === fault?.point && ++times === fault.nth) process.kill(process.pid, "SIGKILL");
};
const service = await startService(options, { faults: { at } });
process.send?.({ url: service.url, operatorToken: service.operatorToken });
process.on("message", async () => {
  await service.stop();
  process.disconnect();
});
