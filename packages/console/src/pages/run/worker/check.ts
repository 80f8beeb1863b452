import { checkOperationFile } from "@lading/schema";
import type { CheckReport, JobContext } from "./jobs.ts";
import { chunksOf } from "./unpack.ts";

/**
 * Checks a file's JSON as the service and `lading mass-operation validate` do, without holding all of it in
 * memory.
 */
export async function check(json: Blob, { signal, onBytes }: JobContext): Promise<CheckReport> {
  const {
    lifetimes: _,
    names: __,
    ...report
  } = await checkOperationFile(chunksOf(json.stream(), signal), {
    onProgress: onBytes,
  });
  return report;
}
