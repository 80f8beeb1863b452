import { setFlagsFromString } from "node:v8";

let holders = 0;

/**
 * Makes V8 collect garbage before the heap has grown by half, until the returned function is called. By default V8 lets
 * the heap grow up to four times: after validating a file of a million names it held 600 MiB of garbage. The flag holds
 * for the whole process and costs an upsert a tenth of its CPU time. So a service sets it only while it validates a
 * file or answers a large query, and `lading serve` permanently with PGlite, which itself takes some 700 MiB.
 */
export function keepHeapSmall(): () => void {
  holders += 1;
  if (holders === 1) setFlagsFromString("--heap-growing-percent=50");
  return () => {
    holders -= 1;
    if (holders === 0) setFlagsFromString("--heap-growing-percent=0"); // V8's default
  };
}
