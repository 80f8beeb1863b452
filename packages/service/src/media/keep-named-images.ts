import type { Tenant } from "../storage/tenants/tenant.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { mediaKeyPattern } from "../uploads/keys.ts";

/** Has a unit of work keep the released images of its tenant that it names; `tenant` is as its transaction reads it. */
export function keepNamedImages(unit: UnitOfWork, tenant: Tenant): void {
  if (tenant.hasReleasedImages) unit.keepImages(new RegExp(mediaKeyPattern(tenant.id), "g"));
}
