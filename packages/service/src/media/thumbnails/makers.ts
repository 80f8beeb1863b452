import childProcess, { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket as Pipe } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { thumbnailLimits } from "./limits.ts";
import { readBytes } from "./read-bytes.ts";

/** The exit code of a process that could not load the package that decodes images. */
const cannotLoad = 3;

/** An image to make a thumbnail of. */
export interface Job {
  readonly width: number;
  /** Of the image. */
  readonly length: number;
  readonly image: AsyncIterable<Uint8Array>;
}

export interface Answer {
  /** Undefined for an image of which none can be made within the limits. */
  readonly thumbnail: Buffer | undefined;
}

/** Processes that make thumbnails. Each begins with work, and ends after a time without, or with the service. */
export interface Makers {
  /** Makes a thumbnail. Undefined when no process had the whole image. Throws the errors of reading the image. */
  make(job: Job): Promise<Answer | undefined>;
  /** False once the package that decodes images turned out to be missing. */
  isAvailable(): boolean;
  close(): void;
}

export function thumbnailMakers(): Makers {
  const idle = new Map<Maker, NodeJS.Timeout>();
  const busy = new Set<Maker>();
  let isAvailable = true;
  let isClosed = false;
  const idleMaker = () => {
    const [maker] = idle.keys().filter(isAlive);
    clearTimeout(maker && idle.get(maker));
    if (maker) idle.delete(maker);
    return maker;
  };
  const rest = (maker: Maker) => {
    const end = () => {
      idle.delete(maker);
      maker.kill("SIGKILL");
    };
    idle.set(maker, setTimeout(end, thumbnailLimits.idle).unref());
  };
  return {
    isAvailable: () => isAvailable,
    async make(job) {
      if (!isAvailable || isClosed) return undefined;
      const maker = idleMaker() ?? startMaker();
      busy.add(maker);
      try {
        const answer = await answerOf(maker, job);
        if (isAlive(maker)) rest(maker);
        else if ((await exitCodeOf(maker)) === cannotLoad) isAvailable = false;
        return isAvailable && !isClosed ? answer : undefined;
      } finally {
        busy.delete(maker);
      }
    },
    close() {
      isClosed = true;
      for (const maker of [...idle.keys(), ...busy]) maker.kill("SIGKILL");
    },
  };
}

type Maker = ChildProcess & { stdin: Writable; stdout: Readable };

const program = join(import.meta.dirname, "program.js");

const programOptions = JSON.stringify({
  pixels: thumbnailLimits.pixels,
  seconds: thumbnailLimits.time / 1_000,
  cannotLoad,
});

/** Without a compiler Node reserves little memory: the limit counts what is reserved. */
const nodeOptions = ["--jitless", "--max-old-space-size=64"];

/** Limits the memory of the process that takes the shell's place. */
const limited = `ulimit -d ${thumbnailLimits.memory / 1024} && exec "$0" "$@"`;

/** Starts a process that has none of the service's environment. */
function startMaker(): Maker {
  const command = [process.execPath, ...nodeOptions, program, programOptions];
  const [shell, ...args] = process.platform === "linux" ? ["/bin/sh", "-c", limited, ...command] : command;
  const maker = childProcess.spawn(shell!, args, {
    cwd: "/",
    env: { UV_THREADPOOL_SIZE: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  for (const each of [maker, maker.stdin, maker.stdout]) each.on("error", () => {});
  // Work keeps the service running, not a process that waits for it.
  maker.unref();
  for (const pipe of [maker.stdin, maker.stdout]) if (pipe instanceof Pipe) pipe.unref();
  return maker;
}

const hasEnded = ({ pid, exitCode, signalCode }: Maker) =>
  pid === undefined || exitCode !== null || signalCode !== null;

const isAlive = (maker: Maker) => !maker.killed && !hasEnded(maker);

async function exitCodeOf(maker: Maker): Promise<number | null> {
  if (!hasEnded(maker)) await once(maker, "exit");
  return maker.exitCode;
}

/** Ends the process when it takes too long or does not answer. An image that ended it has no thumbnail. */
async function answerOf(maker: Maker, job: Job): Promise<Answer | undefined> {
  const overdue = setTimeout(() => maker.kill("SIGKILL"), thumbnailLimits.time);
  let answer: Answer | undefined;
  try {
    if (!(await send(maker, job))) return undefined;
    answer = await readAnswer(maker.stdout);
    return answer ?? { thumbnail: undefined };
  } finally {
    clearTimeout(overdue);
    // A process that could not load its package is about to end.
    if (answer === undefined) maker.kill("SIGKILL");
  }
}

/** False when the process ended. Throws what reading the image does. */
async function send({ stdin }: Maker, { width, length, image }: Job): Promise<boolean> {
  const isWritten = (bytes: Uint8Array) =>
    new Promise<boolean>((resolve) => {
      stdin.write(bytes, (error) => resolve(!error));
    });
  if (!(await isWritten(numbers(width, length)))) return false;
  for await (const chunk of image) if (!(await isWritten(chunk))) return false;
  return true;
}

/** Two numbers, with which each message begins. */
function numbers(...given: [number, number]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(given[0], 0);
  bytes.writeUInt32BE(given[1], 4);
  return bytes;
}

async function readAnswer(stdout: Readable): Promise<Answer | undefined> {
  const head = await readBytes(stdout, 8);
  if (head?.readUInt32BE(0) === 0) return { thumbnail: undefined };
  const length = head?.readUInt32BE(4) ?? 0;
  if (length === 0 || length > thumbnailLimits.bytes) return undefined;
  const thumbnail = await readBytes(stdout, length);
  return thumbnail && { thumbnail };
}
