import type { CopiedRows } from "../../storage/move/copy-tables.ts";
import type { MovedTenant } from "../../storage/move/source.ts";
import type { TenantTable } from "../../storage/move/tables.ts";
import type { CopiedFiles } from "../../uploads/copy-files.ts";
import type { Location, TargetLocation } from "./ends.ts";

/** A move of all data of a service, or of one tenant. */
export interface MoveOptions {
  readonly from: Location;
  readonly to: TargetLocation;
  /** The only tenant to move; the target may already have others. */
  readonly tenant?: string | undefined;
  /** Called with the files copied so far. */
  readonly onFiles?: ((files: CopiedFiles) => void) | undefined;
  /** Called with the number of rows read from a table so far. */
  readonly onRows?: ((table: string, rows: number) => void) | undefined;
}

export interface Moved {
  /** The databases, for display. */
  from: string;
  to: string;
  /** The target's schema number. */
  schema: string;
  /** The tables that have rows; counts and checksums match on both ends. */
  tables: CopiedRows[];
  /** The number of unfinished tasks, which continue in the target. */
  unfinishedTasks: number;
  /** Null if no uploads were copied. */
  files: CopiedFiles | null;
  /** The names of the copied secrets. */
  secrets: string[];
}

export interface Cargo {
  /** The migrations applied to the source. */
  readonly migrations: readonly string[];
  /** The source's tables, each after those it references. */
  readonly tables: readonly TenantTable[];
  /** The tables that have rows. */
  readonly filled: readonly TenantTable[];
  /** The only tenant to move. */
  readonly tenant: MovedTenant | undefined;
}
