import type { Snapshot } from "../../storage/pages/snapshot.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Omissions } from "./omissions.ts";
import type { Operation } from "./operation.ts";

/** The tenant that is dumped, as each kind reads it. */
export interface DumpedTenant {
  readonly tenant: Tenant;
  readonly page: Snapshot["page"];
  readonly omissions: Omissions;
  /** True if ids are replaced by natural keys: then no order may follow from ids. */
  readonly isNatural: boolean;
  /** Reads, once, the SKUs that published versions have and that other variants have now. */
  readonly movedSkus: () => Promise<ReadonlySet<string>>;
}

/** Reads the operations of one kind, a page at a time. */
export type ReadKind = (dumped: DumpedTenant) => AsyncGenerator<readonly Operation[], void>;

/** Limits per read: rows, and bytes of their JSON. One row, or one item with its languages, may exceed them. */
export const pageLimits = { rows: 200, bytes: 2_097_152 } as const;
