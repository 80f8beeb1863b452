import type { CopiedRows } from "../../storage/move/copy-tables.ts";
import type { MovedTenant } from "../../storage/move/source.ts";
import type { TenantTable } from "../../storage/move/tables.ts";
import type { CopiedFiles } from "../../uploads/copy-files.ts";
import type { Place, TargetPlace } from "./ends.ts";

/** A move of all data of a service, or of one tenant. */
export interface MoveOptions {
  readonly from: Place;
  readonly to: TargetPlace;
  /** The identifier of the only tenant to move; the target may have others then. */
  readonly tenant?: string | undefined;
  /** Is called with the files that were copied so far. */
  readonly onFiles?: ((files: CopiedFiles) => void) | undefined;
  /** Is called with the rows of a table that were read so far. */
  readonly onRows?: ((table: string, rows: number) => void) | undefined;
}

export interface Moved {
  /** The databases, for people. */
  from: string;
  to: string;
  /** The number of the schema that the target has. */
  schema: string;
  /** The tables that have rows; both ends have the same numbers and checksums. */
  tables: CopiedRows[];
  /** The number of tasks that have not ended, which go on in the target. */
  unfinishedTasks: number;
  /** Null where no uploads were copied. */
  files: CopiedFiles | null;
  /** The names of the secrets that were copied. */
  secrets: string[];
}

export interface Cargo {
  /** The files of the migrations that the source has. */
  readonly migrations: readonly string[];
  /** The tables of the source, each after those that it refers to. */
  readonly tables: readonly TenantTable[];
  /** Those of them that have rows. */
  readonly filled: readonly TenantTable[];
  /** The only tenant to move. */
  readonly tenant: MovedTenant | undefined;
}
