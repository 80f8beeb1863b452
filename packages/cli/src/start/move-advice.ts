import type { Moved, MoveOptions } from "@lading/service";
import { count, counted } from "../context.ts";

/** Says which files were copied, and which were not. */
export function describeFiles({ files, secrets }: Moved): string {
  const parts = [];
  if (files !== null) {
    const present = files.present === 0 ? "" : ` (${count(files.present)} more were there)`;
    parts.push(`${counted(files.copied, "upload")} of ${count(files.bytes)} bytes${present}`);
  }
  if (secrets.length > 0) parts.push(secrets.join(" and "));
  return parts.length === 0 ? "No files were copied." : `Copied: ${parts.join(", and ")}.`;
}

export function advice(moved: Moved, options: MoveOptions): string[] {
  return [
    ...filesAdvice(moved, options),
    ...(options.tenant === undefined ? serviceAdvice(moved, options) : tenantAdvice(moved, options.tenant)),
  ];
}

function filesAdvice({ files, unfinishedTasks }: Moved, { from, to, tenant }: MoveOptions): string[] {
  const what = tenant === undefined ? "uploads" : "uploads of the tenant";
  const settings = "the service of the target needs the same LADING_S3_… settings";
  if (files !== null)
    return to.s3 === undefined
      ? []
      : [`The ${what} are in the bucket ${to.s3.bucket}: ${settings} as LADING_TO_S3_… had here.`];
  if (from.s3 !== undefined) return [`The ${what} stay in the bucket ${from.s3.bucket}: ${settings}.`];
  const unfinished =
    unfinishedTasks === 0 ? "" : ` Without them, ${counted(unfinishedTasks, "task")} cannot continue.`;
  return [
    `The ${what} stay in ${from.dataDir}: give the service of the target this folder as --data-dir, or run the command ` +
      `with --to-data-dir for a copy of them.${unfinished}`,
  ];
}

function serviceAdvice({ secrets, unfinishedTasks }: Moved, { from, to }: MoveOptions): string[] {
  const missing = ["operator-token", "signing-key"].filter((name) => !secrets.includes(name));
  const folder = to.dataDir ?? from.dataDir;
  const hasOwnFolder = folder !== from.dataDir;
  return [
    ...(hasOwnFolder && missing.length > 0
      ? [
          `The source's folder has no ${missing.join(" and no ")}: give the new service the same LADING_OPERATOR_TOKEN and ` +
            "LADING_SIGNING_KEY. Without the signing key, the secrets of webhooks cannot be read.",
        ]
      : []),
    `Start the new service: lading serve --data-dir ${folder}${to.databaseUrl === undefined ? "" : " --database-url …"}.` +
      (unfinishedTasks === 0
        ? ""
        : ` ${counted(unfinishedTasks, "task")} that had not ended will continue there; held ones wait until they are resumed.`),
    "Start no service on the source again: what it would write is not in the target. Keep it until you have verified " +
      "the target.",
  ];
}

function tenantAdvice({ files, tables, unfinishedTasks }: Moved, tenant: string): string[] {
  const hasWebhook = tables.some(({ table, rows }) => table === "webhooks" && rows > 0);
  return [
    "Give clients the address of the target: their access tokens are the same.",
    ...(unfinishedTasks === 0
      ? []
      : [
          `${counted(unfinishedTasks, "task")} have not ended, and are in both: start or resume them in the target only.`,
        ]),
    ...(hasWebhook
      ? [
          "The secret of the tenant's webhook is encrypted under the source's signing key: start the runners of the target " +
            "once with that key as LADING_SECOND_SIGNING_KEY, or rotate it: lading tenant webhook rotate.",
        ]
      : []),
    files === null
      ? "The source still has the tenant, and accepts writes to it. Do not delete it there: that would delete " +
        "the uploads, which the target uses too. Revoke its access tokens at the source instead."
      : "The source still has the tenant, and accepts writes to it: " +
        `lading tenant delete ${tenant} removes it there.`,
  ];
}
