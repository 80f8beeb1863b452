import type { JobContext, JobName, JobReply, JobRequest, Jobs } from "./jobs.ts";

// Zod would try whether it may make functions of texts; the policy of the page forbids it, and would report that.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const jobs: {
  [Name in JobName]: (input: Jobs[Name]["input"], context: JobContext) => Promise<Jobs[Name]["output"]>;
} = {
  check: async (json, context) => (await import("./check.ts")).check(json, context),
  unpack: async (input, context) => (await import("./unpack.ts")).unpack(input, context),
  complete: async (input) => (await import("./complete.ts")).complete(input),
};

/** Time between two messages about the progress of a job, in milliseconds. */
const progressInterval = 100;

const running = new Map<number, AbortController>();
const reply = (message: JobReply) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<JobRequest>) => {
  if (data.job === "abort") running.get(data.id)?.abort();
  else void run(data.id, data.job, data.input);
});

async function run(id: number, name: JobName, input: unknown): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  let told = performance.now();
  const onBytes = (bytes: number) => {
    if (performance.now() - told < progressInterval) return;
    told = performance.now();
    reply({ id, bytes });
  };
  // The client sends the input that belongs to the name.
  const job = jobs[name] as (input: unknown, context: JobContext) => Promise<unknown>;
  try {
    reply({ id, output: await job(input, { signal: controller.signal, onBytes }) });
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}
