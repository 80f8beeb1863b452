import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddedEngine } from "../../settings/settings.ts";
import { errorMessage } from "../../system/thrown.ts";
import type { Database } from "../database.ts";
import { EmbeddedUnusable, NativeCannotRun } from "./embedded-errors.ts";
import { hasCluster } from "./native/cluster.ts";
import { type NativeOptions, openNative } from "./native/native.ts";
import { openPglite } from "./pglite.ts";

export interface EmbeddedOptions extends NativeOptions {
  /** The requested engine; undefined: the folder's or, for a new one, native where it can run. */
  engine?: EmbeddedEngine | undefined;
}

export interface Embedded {
  readonly database: Database;
  readonly engine: EmbeddedEngine;
  /** The engine for display, with the reason if it isn't the default: `PGlite, because the folder was made with it`. */
  readonly name: string;
}

const titles = { native: "native PostgreSQL", pglite: "PGlite" } as const satisfies Record<
  EmbeddedEngine,
  string
>;

/** Returns the engine that the database in a folder was made with; undefined when there is none yet. */
export function engineOf(folder: string): EmbeddedEngine | undefined {
  const found: EmbeddedEngine[] = [];
  if (hasCluster(folder)) found.push("native");
  if (existsSync(join(folder, "pglite", "PG_VERSION"))) found.push("pglite");
  if (found.length > 1)
    throw new EmbeddedUnusable(
      `${folder} has two databases, postgresql (native) and pglite: move away the folder of the one that you do not use.`,
    );
  return found[0];
}

/**
 * Opens the embedded database in a folder with the engine that made it. A new one is made with native PostgreSQL or,
 * where that cannot run, with PGlite.
 * @throws FolderLocked, EmbeddedUnusable, or the engine's own error
 */
export async function openEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const existing = engineOf(folder);
  const wanted = options.engine ?? existing;
  if (existing !== undefined && wanted !== existing)
    throw new EmbeddedUnusable(
      `The database in ${folder} was made with ${titles[existing]}, and another engine cannot read it: ` +
        `leave out --engine ${wanted} (LADING_ENGINE), or name another folder with --data-dir.`,
    );
  if (wanted === "pglite") {
    const why = options.engine === undefined ? "the folder was made with it" : undefined;
    return asPglite(folder, options, why);
  }
  try {
    const { database, version } = await openNative(folder, options);
    return { database, engine: "native", name: `${titles.native} ${version}` };
  } catch (error) {
    if (!(error instanceof NativeCannotRun)) throw error;
    if (wanted === "native") throw cannotRun(folder, existing, error);
    return asPglite(folder, options, `native PostgreSQL cannot run here: ${errorMessage(error)}`);
  }
}

async function asPglite(
  folder: string,
  { guard }: EmbeddedOptions,
  why: string | undefined,
): Promise<Embedded> {
  const name = why === undefined ? titles.pglite : `${titles.pglite}, because ${why}`;
  return { database: await openPglite(folder, guard), engine: "pglite", name };
}

function cannotRun(
  folder: string,
  existing: EmbeddedEngine | undefined,
  error: NativeCannotRun,
): EmbeddedUnusable {
  const reason = `cannot run here: ${error.message}.`;
  return new EmbeddedUnusable(
    existing === undefined
      ? `${titles.native} ${reason} Correct that, or leave out --engine native (LADING_ENGINE).`
      : `The database in ${folder} was made with ${titles.native}, which ${reason} Correct that.`,
    { cause: error },
  );
}
