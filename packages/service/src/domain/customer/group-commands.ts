import type { Payload, Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type CustomerGroupRow, customerGroups } from "../../storage/collections/customer-groups.ts";
import { namersOfCustomer } from "../../storage/queries/customers.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { emptied, merge } from "../merge.ts";
import { refuseUsed } from "../payload/in-use.ts";
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
const requireGroup = async (unit: UnitOfWork, identifier: string): Promise<CustomerGroupRow> =>
  (await unit.get(customerGroups, identifier)) ?? refuseMissing(identifier);

const refuseMissing = (identifier: string): never =>
  reject("CustomerGroupNotFoundError", `There is no customer group "${identifier}"`, ["identifier"]);

export const groupCommands = writeCommands({
  keys: prefetchGroup,
  find: (unit, { identifier }) => unit.get(customerGroups, identifier),
  missing: ({ identifier }) => refuseMissing(identifier),
  create: createGroup,
  update: updateGroup,
});

/** Deletes a customer group without references. */
export const deleteGroup: Command<"customer/group/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(customerGroups, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key constraint stops another writer from naming the group as a parent or in an audience.
    unit.requireLock("exclusive");
    const group = await requireGroup(unit, identifier);
    await refuseUsed(
      "CustomerGroupInUseError",
      { what: "customer group", identifier, remedy: "delete these, or take the group out of them, first" },
      (most) => namersOfCustomer(unit, { type: "customerGroup", identifier }, most),
    );
    unit.remove(customerGroups, group);
    return { action: "deleted", output: { identifier } };
  },
};
