import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { settings, settingText } from "@lading/service/settings";
import { errorCode } from "@lading/service/thrown";
import type { Finding } from "./finding.ts";

const mib = 1024 ** 2;
/** Free space in bytes, on top of the reserve, below which a large file may fill the disk. */
const tightSpace = 1024 * mib;

/** Checks the data folder of a service that runs here, or would be started here: rights and free space. */
export async function dataFolderFindings(dataDir: string): Promise<Finding[]> {
  const what = "data folder";
  try {
    const { mode, uid } = await stat(dataDir);
    return [
      await rightsFinding(dataDir, mode, uid),
      ...(await secretFindings(dataDir)),
      await spaceFinding(dataDir),
    ];
  } catch (error) {
    if (errorCode(error) !== "ENOENT")
      return [{ level: "problem", what, detail: `${dataDir} cannot be examined (${errorCode(error)})` }];
    return [{ level: "ok", what, detail: `${dataDir} does not exist yet; \`lading serve\` creates it` }];
  }
}

async function rightsFinding(dataDir: string, mode: number, uid: number): Promise<Finding> {
  const what = "data folder";
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const detail = `${dataDir} belongs to user ${uid}, and this user may not write to it: run as that user, or chown it`;
    return { level: "problem", what, detail };
  }
  // The user of a database server may have to pass through.
  if (isOpenToOthers(mode, 0o066))
    return { level: "note", what, detail: `other users have access to ${dataDir}: chmod 700 ${dataDir}` };
  return { level: "ok", what, detail: `${dataDir} can be written` };
}

async function secretFindings(dataDir: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of ["operator-token", "signing-key"]) {
    const path = join(dataDir, name);
    const mode = await stat(path).then(
      (status) => status.mode,
      () => 0,
    );
    if (isOpenToOthers(mode))
      findings.push({
        level: "problem",
        what: name,
        detail: `${path} can be read by others: chmod 600 ${path}`,
      });
  }
  return findings;
}

const isOpenToOthers = (mode: number, rights = 0o077) =>
  (mode & rights) !== 0 && process.platform !== "win32";

async function spaceFinding(dataDir: string): Promise<Finding> {
  const what = "disk";
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const detail = `${Math.floor(free / mib)} MiB are free on the disk of ${dataDir}`;
  const reserve = Number(settingText(settings.diskReserve, process.env) ?? settings.diskReserve.default);
  if (free < reserve)
    return {
      level: "problem",
      what,
      detail: `${detail}: less than ${settings.diskReserve.variable}, nothing is written`,
    };
  if (free < reserve + tightSpace)
    return { level: "note", what, detail: `${detail}: a large file may fill it` };
  return { level: "ok", what, detail };
}
