import { once } from "node:events";
import { CliError, exitCode } from "../exit.ts";

/**
 * Lets Ctrl-C end long work that cannot be aborted, such as waiting for another process to migrate. `when` completes
 * the message of the error.
 */
export async function unlessInterrupted<Result>(
  work: Promise<Result>,
  interrupted: AbortSignal,
  when: string,
): Promise<Result> {
  if (interrupted.aborted) return work;
  const settled = new AbortController();
  const broken = once(interrupted, "abort", { signal: settled.signal }).then(() => {
    // Unfinished work keeps the process alive; the next attempt does it again.
    setTimeout(() => process.exit(exitCode.interrupted), 1_000).unref();
    throw new CliError(`interrupted ${when}`, exitCode.interrupted);
  });
  try {
    return await Promise.race([work, broken]);
  } finally {
    broken.catch(() => {});
    settled.abort();
  }
}
