import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { main } from "../../packages/cli/src/main.ts";
import { keepCredentials } from "../../packages/cli/src/service/credentials.ts";
import type { TestService } from "./service.ts";

/** Lines that tell how far a task is: they depend on the machine. */
const progress = /^(?:started, .*|running|\d+ of \d+ operations, .*)\n/gm;
const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const ids = /(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g;
const fileNames = /^[\w.-]+(?:\/|\.(?:json|csv|tsv|ndjson|gz))$/;

export interface SessionLocation {
  readonly service: TestService;
  readonly files: string;
  readonly tenants: readonly string[];
  /** Changes the text of the files before the session. */
  edit?(text: string): string;
}

/**
 * Runs the commands of a console session (`$ lading …`, and others by the shell), and expects of each what the session
 * shows: all that it prints, then `(exit code N)` unless that is 0. Ids are compared by the order of their appearance,
 * times not at all, and lines about progress are left out.
 */
export async function expectSession(
  session: string,
  { service, files, tenants, edit }: SessionLocation,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "lading-session-"));
  vi.stubEnv("LADING_URL", service.url);
  vi.stubEnv("LADING_CREDENTIALS", join(folder, ".credentials"));
  try {
    await cp(files, folder, { recursive: true });
    if (edit !== undefined)
      for (const name of await readdir(files)) {
        const file = join(folder, name);
        await writeFile(file, edit(await readFile(file, "utf8")));
      }
    for (const identifier of tenants)
      await keepCredentials(
        service.url,
        identifier,
        await service.createTenant({ identifier, name: identifier }),
      );
    await expectCommands(session, (command) =>
      command.startsWith("lading ")
        ? runLading(command.slice("lading ".length), folder, service.url)
        : execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" }),
    );
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
}

async function expectCommands(
  session: string,
  run: (command: string) => string | Promise<string>,
): Promise<void> {
  // The session's ids, by those of this run.
  const known = new Map<string, string>();
  for (const part of session.split(/^\$ /m).slice(1)) {
    const [command = "", ...lines] = part.split("\n");
    const shown = lines.join("\n");
    const printed = await run(
      command.replace(ids, (id) => [...known].find(([, shownId]) => shownId === id)?.[0] ?? id),
    );
    const shownIds = shown.match(ids) ?? [];
    for (const [at, id] of (printed.match(ids) ?? []).entries())
      if (!known.has(id)) known.set(id, shownIds[at] ?? "an id that the page does not have");
    const asShown = printed.replace(ids, (id) => known.get(id)!);
    expect(asShown.replace(times, "…"), command).toBe(shown.replace(times, "…"));
  }
}

async function runLading(command: string, folder: string, url: string): Promise<string> {
  const args = command.split(" ").map((word) => (fileNames.test(word) ? join(folder, word) : word));
  const parts: string[] = [];
  const sink = { write: (part: string) => parts.push(part) > 0 };
  const code = await main(args, { stdout: sink, stderr: sink });
  const exit = code === 0 ? "" : `(exit code ${code})\n`;
  const text = parts.join("").replaceAll(`${folder}/`, "").replaceAll(` --url ${url}`, "");
  // Within npx the command names itself so.
  return text.replaceAll("npx lading", "lading").replace(progress, "") + exit;
}
