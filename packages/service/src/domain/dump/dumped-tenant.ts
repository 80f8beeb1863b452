import type { IsMoved } from "../../storage/pages/moved-skus.ts";
import type { Snapshot } from "../../storage/pages/snapshot.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Omissions } from "./omissions.ts";
import type { Operation } from "./operation.ts";

/** A tenant that is read in pages. */
export interface PagedTenant {
  readonly tenant: Tenant;
  readonly page: Snapshot["page"];
}

/** The tenant being dumped, for the readers of all kinds. */
export interface DumpedTenant extends PagedTenant {
  readonly omissions: Omissions;
  /** True if ids are replaced with natural keys; the order must then not depend on ids. */
  readonly isNatural: boolean;
  /** Reads, once, the SKUs in published versions that belong to other variants too. */
  readonly movedSkus: () => Promise<IsMoved>;
}

/** Reads the operations of one kind, in pages. */
export type ReadKind = (dumped: DumpedTenant) => AsyncGenerator<readonly Operation[], void>;

/** Limits per read: rows, and bytes of their JSON. A single row, or an item with its languages, may exceed them. */
export const pageLimits = { rows: 200, bytes: 2_097_152 } as const;
