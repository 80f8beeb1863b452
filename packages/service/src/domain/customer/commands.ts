import type { Payload, Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type CustomerRow, customers } from "../../storage/collections/customers.ts";
import { namersOfCustomer } from "../../storage/queries/customers.ts";
import { contractsOfCustomer } from "../../storage/queries/subscription-contracts.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { emptied, merge } from "../merge.ts";
import { keepingStored } from "../payload/failed-uploads.ts";
import { refuseUsed } from "../payload/in-use.ts";
import { keyLength, limitCheck } from "../payload/limit-check.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { writeCommands } from "../write-commands.ts";
import { checkParents, customerLimits, prefetchParents } from "./parents.ts";

type CustomerPayload = Payload<"customer/upsert">;

function prefetchCustomer({ identifier, parents }: Written<CustomerPayload>, prefetch: Prefetch): void {
  prefetch(customers, "key", [identifier]);
  prefetchParents(parents, prefetch);
}

async function check(
  { unit }: CommandContext,
  { identifier, addresses, parents }: CustomerPayload,
  before?: CustomerRow,
): Promise<void> {
  const limits = limitCheck();
  limits.length(identifier, { min: 1, ...keyLength }, ["identifier"]);
  limits.count(addresses, customerLimits.addresses, ["addresses"]);
  limits.end();
  await checkParents(unit, { type: "customer", identifier }, parents, before?.parents);
}

async function createCustomer(context: CommandContext, payload: CustomerPayload): Promise<CommandResult> {
  const { unit, now } = context;
  const { identifier } = payload;
  if ((await unit.get(customers, identifier)) !== undefined)
    reject("CustomerIdentifierTakenError", `A customer "${identifier}" exists already`, ["identifier"]);
  await check(context, payload);
  refuseNewKey(identifier, "identifier");
  unit.insert(customers, {
    identifier,
    type: payload.type ?? "individual",
    email: payload.email ?? null,
    firstName: payload.firstName ?? null,
    lastName: payload.lastName ?? null,
    middleName: payload.middleName ?? null,
    companyName: payload.companyName ?? null,
    phone: payload.phone ?? null,
    taxNumber: payload.taxNumber ?? null,
    birthDate: payload.birthDate ?? null,
    externalReferences: payload.externalReferences ?? [],
    meta: payload.meta ?? [],
    addresses: payload.addresses ?? [],
    parents: payload.parents ?? [],
    createdAt: now,
    updatedAt: now,
  });
  return { action: "created", output: { identifier } };
}

async function updateCustomer(
  context: CommandContext,
  customer: CustomerRow,
  payload: CustomerPayload,
): Promise<CommandResult> {
  await check(context, payload, customer);
  const { identifier } = customer;
  const { identifier: _, ...sent } = keepingStored(payload, customer, context.uploads, []);
  const { type, externalReferences, meta, addresses, parents, ...texts } = sent;
  const patch = {
    ...texts,
    type: type === null ? "individual" : type,
    externalReferences: emptied(externalReferences),
    meta: emptied(meta),
    addresses: emptied(addresses),
    parents: emptied(parents),
  };
  const changed = merge(customer, patch, context.now);
  if (changed !== undefined) context.unit.update(customers, changed);
  const { email, firstName, lastName } = changed ?? customer;
  return { action: changed ? "updated" : "unchanged", output: { email, identifier, firstName, lastName } };
}

/** The customer with this identifier; rejects with `CustomerNotFoundError`. */
const requireCustomer = async (unit: UnitOfWork, identifier: string): Promise<CustomerRow> =>
  (await unit.get(customers, identifier)) ?? refuseMissing(identifier);

const refuseMissing = (identifier: string): never =>
  reject("CustomerNotFoundError", `There is no customer "${identifier}"`, ["identifier"]);

export const customerCommands = writeCommands({
  keys: prefetchCustomer,
  find: (unit, { identifier }) => unit.get(customers, identifier),
  missing: ({ identifier }) => refuseMissing(identifier),
  create: createCustomer,
  update: updateCustomer,
});

/** Deletes a customer without contracts or references. Orders keep their copies. */
export const deleteCustomer: Command<"customer/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(customers, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key constraint stops another writer from naming the customer as a parent or in an audience.
    unit.requireLock("exclusive");
    const customer = await requireCustomer(unit, identifier);
    await refuseUsed(
      "CustomerInUseError",
      { what: "customer", identifier, remedy: "delete these, or take the customer out of them, first" },
      (most) => contractsOfCustomer(unit, identifier, most),
      (most) => namersOfCustomer(unit, { type: "customer", identifier }, most),
    );
    unit.remove(customers, customer);
    return { action: "deleted", output: { identifier } };
  },
};
