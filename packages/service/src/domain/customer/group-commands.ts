import type { Payload, Written } from "@lading/schema";
import { reject } from "../../errors.ts";
import { type CustomerGroupRow, customerGroups } from "../../storage/collections/customer-groups.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { emptied, merge } from "../merge.ts";
import { keyLength, limitCheck } from "../payload/limit-check.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { writeCommands } from "../write-commands.ts";
import { checkParents, prefetchParents } from "./parents.ts";

type GroupPayload = Payload<"customer/group/upsert">;

function prefetchGroup({ identifier, parents }: Written<GroupPayload>, prefetch: Prefetch): void {
  prefetch(customerGroups, "key", [identifier]);
  prefetchParents(parents, prefetch);
}

async function check(
  { unit }: CommandContext,
  { identifier, parents }: GroupPayload,
  before?: CustomerGroupRow,
): Promise<void> {
  const limits = limitCheck();
  limits.length(identifier, keyLength, ["identifier"]);
  limits.end();
  await checkParents(unit, { type: "customerGroup", identifier }, parents, before?.parents);
}

async function createGroup(context: CommandContext, payload: GroupPayload): Promise<CommandResult> {
  const { unit, now } = context;
  const { identifier, name, parents } = payload;
  if ((await unit.get(customerGroups, identifier)) !== undefined)
    reject("CustomerGroupIdentifierTakenError", `A customer group "${identifier}" exists already`, [
      "identifier",
    ]);
  await check(context, payload);
  refuseNewKey(identifier, "identifier");
  unit.insert(customerGroups, {
    identifier,
    name: name ?? null,
    parents: parents ?? [],
    createdAt: now,
    updatedAt: now,
  });
  return { action: "created", output: { identifier } };
}

/** Absent fields are kept, null clears, lists replace. */
async function updateGroup(
  context: CommandContext,
  group: CustomerGroupRow,
  payload: GroupPayload,
): Promise<CommandResult> {
  await check(context, payload, group);
  const { name, parents } = payload;
  const changed = merge(group, { name, parents: emptied(parents) }, context.now);
  if (changed !== undefined) context.unit.update(customerGroups, changed);
  const output = { type: "customerGroup", identifier: group.identifier };
  return { action: changed ? "updated" : "unchanged", output };
}

/** The customer group with this identifier; rejects with `CustomerGroupNotFoundError`. */
export const requireGroup = async (unit: UnitOfWork, identifier: string): Promise<CustomerGroupRow> =>
  (await unit.get(customerGroups, identifier)) ?? refuseMissing(identifier);

const refuseMissing = (identifier: string): never =>
  reject("CustomerGroupNotFoundError", `There is no customer group "${identifier}"`, ["identifier"]);

/** The commands that write customer groups. */
export const groupCommands = writeCommands({
  keys: prefetchGroup,
  find: (unit, { identifier }) => unit.get(customerGroups, identifier),
  missing: ({ identifier }) => refuseMissing(identifier),
  create: createGroup,
  update: updateGroup,
});
