import type { JobContext, JobName, JobReply, JobRequest, Jobs } from "./jobs.ts";

// Zod would test whether it may compile functions; the page's policy forbids that, and would report it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const jobs: {
  [Name in JobName]: (input: Jobs[Name]["input"], context: JobContext) => Promise<Jobs[Name]["output"]>;
} = {
  check: async (json, context) => (await import("./check.ts")).check(json, context),
  unpack: async (input, context) => (await import("./unpack.ts")).unpack(input, context),
  convert: async (input, context) => (await import("./convert.ts")).convertTable(input, context),
  edit: async (input, context) => (await import("./edit.ts")).editTable(input, context),
  complete: async (input) => (await import("./complete.ts")).complete(input),
};

/** Interval between progress messages of a job, in milliseconds. */
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
