import type { JobContext, JobName, JobReply, Jobs } from "./jobs.ts";
import workerAddress from "./worker.ts?worker&url";

declare global {
  interface Window {
    /** Only in browsers that support it. Its result is passed through unchanged. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: (url: string) => string },
      ): {
        createScriptURL(url: string): string;
      };
    };
  }
}

/** Trusts only the worker's URL. */
const policy = window.trustedTypes?.createPolicy("lading-console", {
  createScriptURL: (url) => {
    if (url !== workerAddress) throw new TypeError("Not the worker's URL");
    return url;
  },
});

interface Pending {
  worker: Worker;
  resolve(output: unknown): void;
  reject(reason: Error): void;
  onBytes(bytes: number): void;
}

const pending = new Map<number, Pending>();
let shared: Worker | undefined;
let lastId = 0;

/** Runs a job in the worker that jobs share. Throws its error, or an `AbortError` once the signal is aborted. */
export function inWorker<Name extends JobName>(
  job: Name,
  input: Jobs[Name]["input"],
  context: { signal: AbortSignal } & Partial<JobContext>,
): Promise<Jobs[Name]["output"]> {
  context.signal.throwIfAborted();
  shared ??= startWorker();
  return runIn(shared, job, input, context);
}

/**
 * The same in a worker of its own, which ends with the job: one that is aborted stops immediately and leaves no memory
 * behind.
 */
export async function inOwnWorker<Name extends JobName>(
  job: Name,
  input: Jobs[Name]["input"],
  context: { signal: AbortSignal } & Partial<JobContext>,
): Promise<Jobs[Name]["output"]> {
  context.signal.throwIfAborted();
  const worker = startWorker();
  try {
    return await runIn(worker, job, input, context);
  } finally {
    worker.terminate();
  }
}

function runIn<Name extends JobName>(
  worker: Worker,
  job: Name,
  input: Jobs[Name]["input"],
  { signal, onBytes = () => {} }: { signal: AbortSignal } & Partial<JobContext>,
): Promise<Jobs[Name]["output"]> {
  const id = ++lastId;
  const abort = () => {
    worker.postMessage({ id, job: "abort" });
    pending.get(id)?.reject(signal.reason);
  };
  signal.addEventListener("abort", abort);
  // The worker's output belongs to the requested job.
  const output = new Promise<unknown>((resolve, reject) =>
    pending.set(id, { worker, resolve, reject, onBytes }),
  );
  worker.postMessage({ id, job, input });
  return output.finally(() => {
    pending.delete(id);
    signal.removeEventListener("abort", abort);
  }) as Promise<Jobs[Name]["output"]>;
}

function startWorker(): Worker {
  const started = new Worker(policy?.createScriptURL(workerAddress) ?? workerAddress, { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<JobReply>) => take(data));
  started.addEventListener("error", () => {
    started.terminate();
    if (shared === started) shared = undefined;
    for (const { worker, reject } of pending.values())
      if (worker === started)
        reject(new Error("The file checker failed to load or has crashed. Reload the page."));
  });
  return started;
}

function take(reply: JobReply): void {
  const job = pending.get(reply.id);
  if ("bytes" in reply) job?.onBytes(reply.bytes);
  else if ("error" in reply) job?.reject(new Error(reply.error));
  else job?.resolve(reply.output);
}
