import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const root = new URL("../../..", import.meta.url).pathname;

/**
 * Runs the commands of a pipeline by a shell, which ends with the first that fails, in a folder of their own where
 * `npx` finds the `lading` of this repository. Ends what they leave running. Returns what they print, and the code.
 *
 * @param files a file or folder of the repository that is copied into the folder
 */
export async function runPipeline(
  commands: string,
  { files, environment }: { files: string; environment: NodeJS.ProcessEnv },
): Promise<{ printed: string; code: number }> {
  const folder = await mkdtemp(join(tmpdir(), "lading-pipeline-"));
  try {
    const from = join(root, files);
    await cp(from, files.endsWith(".json") ? join(folder, from.slice(from.lastIndexOf("/"))) : folder, {
      recursive: true,
    });
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    const shell = spawn("sh", ["-ec", commands], {
      cwd: folder,
      detached: true, // a process group of its own, which can be ended as a whole
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, LADING_CREDENTIALS: join(folder, "credentials.json"), ...environment },
    });
    const printed = text(shell.stdout);
    const [code] = await once(shell, "exit");
    endGroup(shell.pid!);
    return { printed: await printed, code };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader);
  } catch {
    // Nothing was left running.
  }
}
