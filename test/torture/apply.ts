import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lading } from "../support/lading.ts";
import type { NamedAccess, PatientClient } from "./client.ts";

/** Longest life of a command that is killed, in milliseconds: the time of its start and of a short run. */
const longestLife = 4_000;
/** Commands that ended without a service, or were killed, after which one must have made it. Time would count load. */
const maxAttempts = 100;

/**
 * Applies a folder with one file by `lading apply`. The command is killed at random, and its service too, so it is
 * repeated until all files are applied or one has failed. `follow` returns when the run has ended. Returns its id.
 * `before` is an undone run of the file; if the undo has left a part, the file has failed and is not run again.
 */
export async function applyFile(
  client: PatientClient,
  access: NamedAccess,
  { file, before }: { file: object; before: string | undefined },
  follow: (id: string) => Promise<void>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lading-torn-folder-"));
  await writeFile(join(folder, "001.json"), JSON.stringify(file));
  let ended = false;
  const id = runId(client, access, before, () => ended);
  const applyUntilEnded = async () => {
    for (let attempt = 0; !ended; attempt++) {
      const { code, stderr } = await apply(client, access, folder, attempt);
      ended ||= code === 0 || code === 4;
      if (!ended && (attempt === maxAttempts || (code !== null && code !== 1)))
        throw new Error(`lading apply ended with ${code}: ${stderr}`);
    }
  };
  const work = [applyUntilEnded(), id.then(follow)];
  try {
    await Promise.all(work);
  } finally {
    ended = true;
    await Promise.allSettled(work);
    await rm(folder, { recursive: true });
  }
  return id;
}

/** Runs the command once; every other attempt is killed. */
async function apply(client: PatientClient, access: NamedAccess, folder: string, attempt: number) {
  const url = await client.as(access, async ({ address }) => new URL(address).origin);
  const env = {
    LADING_URL: url,
    LADING_ACCESS_TOKEN_ID: access.accessTokenId,
    LADING_ACCESS_TOKEN_SECRET: access.accessTokenSecret,
  };
  return lading(["apply", access.name, folder, "--no-interactive"], env, (child) => {
    if (attempt % 2 === 1) return;
    const timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * longestLife);
    child.once("exit", () => clearTimeout(timer));
  });
}

const files = `{ appliedFiles(first: 2) { edges { node { task { id } } } } }`;

/** Waits until the tenant has another run of the file than before; returns its id. */
async function runId(
  client: PatientClient,
  access: NamedAccess,
  before: string | undefined,
  over: () => boolean,
): Promise<string> {
  for (;;) {
    const isLast = over();
    const answer = await client.as(access, ({ graphql }) =>
      graphql<{ appliedFiles: { edges: { node: { task: { id: string } } }[] } }>(files),
    );
    const [first, second] = answer.appliedFiles.edges;
    if (second !== undefined) throw new Error("more than one file was applied");
    const id = first?.node.task.id;
    if (id !== undefined && (id !== before || isLast)) return id;
    if (isLast) throw new Error("lading apply ended and ran no file");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
