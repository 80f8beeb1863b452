import { keysOf, type Payload, type Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { customers } from "../../storage/collections/customers.ts";
import { subscriptionContractUsages } from "../../storage/collections/subscription-contract-usages.ts";
import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../../storage/collections/subscription-contracts.ts";
import { newId } from "../../storage/ids.ts";
import { hasMoreUsages } from "../../storage/queries/subscription-contract-usages.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { emptied, merge } from "../merge.ts";
import { keepingStored } from "../payload/failed-uploads.ts";
import { named } from "../payload/named-row.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { changedTimestamp, timestampOf } from "../payload/timestamp.ts";
import { writeCommands } from "../write-commands.ts";
import { checkContract, contractDates } from "./check.ts";
import { findContract, prefetchNamedContract, refuseMissing, requireNamedContract } from "./find.ts";
import { prefetchSkus, requireCustomer, requirePlan, requireSkus } from "./references.ts";

type NewContract = Payload<"subscription-contract/upsert">;
type ChangedContract = Payload<"subscription-contract/update">;

function prefetchContract(payload: Written<ChangedContract>, prefetch: Prefetch): void {
  const { customerIdentifier } = payload;
  prefetchNamedContract(payload, prefetch);
  if (customerIdentifier !== undefined) prefetch(customers, "key", [customerIdentifier]);
  prefetchSkus(payload, prefetch);
}

async function createContract(context: CommandContext, payload: NewContract): Promise<CommandResult> {
  const { unit, tenant, now } = context;
  const id = payload.id ?? newId();
  checkContract(payload);
  const dates = contractDates(payload.status);
  const signedAt = timestampOf(payload.signedAt, ["signedAt"]) ?? null;
  refuseNewKey(payload.resourceIdentifier, "resourceIdentifier");
  await claimResourceIdentifier(unit, id, payload.resourceIdentifier);
  await requireCustomer(unit, payload.customerIdentifier);
  requirePlan(tenant, payload);
  await requireSkus(unit, payload);
  unit.insert(subscriptionContracts, {
    id,
    resourceIdentifier: payload.resourceIdentifier ?? null,
    customerIdentifier: payload.customerIdentifier,
    planIdentifier: payload.subscriptionPlan.identifier,
    subscriptionPlan: payload.subscriptionPlan,
    sku: payload.item.sku,
    item: payload.item,
    initial: payload.initial ?? null,
    recurring: payload.recurring,
    ...{ ...dates, halted: null, renewed: false },
    signedAt,
    payment: payload.payment ?? null,
    addresses: payload.addresses ?? [],
    meta: payload.meta ?? [],
    createdAt: now,
    updatedAt: now,
  });
  return { action: "created", output: { id } };
}

/** Absent fields are kept, null clears, lists and objects replace. */
async function updateContract(
  context: CommandContext,
  contract: SubscriptionContractRow,
  payload: ChangedContract,
): Promise<CommandResult> {
  const { unit, tenant, now } = context;
  checkContract(payload);
  refuseOtherCustomer(contract, payload.customerIdentifier);
  refuseNewKey(payload.resourceIdentifier, "resourceIdentifier", contract.resourceIdentifier);
  await claimResourceIdentifier(unit, contract.id, payload.resourceIdentifier);
  requirePlan(tenant, payload, contract);
  await requireSkus(unit, payload, contract);
  const kept = keepingStored(payload, contract, context.uploads, []);
  const { id: _, customerIdentifier: __, status, ...sent } = kept;
  const patch = {
    ...sent,
    planIdentifier: sent.subscriptionPlan?.identifier,
    sku: sent.item?.sku,
    ...(status && { ...contractDates(status), halted: null }),
    signedAt: changedTimestamp(sent.signedAt, ["signedAt"]),
    meta: emptied(sent.meta),
  };
  const changed = merge(contract, patch, now);
  if (changed !== undefined) unit.update(subscriptionContracts, changed);
  return { action: changed ? "updated" : "unchanged", output: { id: contract.id } };
}

function refuseOtherCustomer(contract: SubscriptionContractRow, customer: string | undefined): void {
  if (customer === undefined || customer === contract.customerIdentifier) return;
  reject(
    "ConflictError",
    `The contract ${named(contract)} is one of the customer "${contract.customerIdentifier}", which cannot be ` +
      `changed to "${customer}"; create another contract`,
    ["customerIdentifier"],
  );
}

async function claimResourceIdentifier(
  unit: UnitOfWork,
  id: string,
  resourceIdentifier: string | undefined,
): Promise<void> {
  if (resourceIdentifier === undefined) return;
  const [owner] = await unit.find(subscriptionContracts, "resourceIdentifier", resourceIdentifier);
  if (owner === undefined || owner.id === id) return;
  const message = `The resource identifier "${resourceIdentifier}" is that of the contract ${owner.id}`;
  reject("ResourceIdentifierTakenError", message, ["resourceIdentifier"]);
}

/** Keeps a contract paused or cancelled if an upsert has the same dates: a dump only has the dates. */
function upsertedContract(contract: SubscriptionContractRow, payload: NewContract): ChangedContract {
  if (contract.halted === null) return payload;
  const dates = contractDates(payload.status);
  const isSame = keysOf(dates).every((name) => contract[name] === dates[name]);
  return isSame ? { ...payload, status: undefined } : payload;
}

/** The commands that write contracts. An upsert creates a missing contract with the payload's id. */
export const contractCommands = writeCommands({
  keys: prefetchContract,
  find: findContract,
  missing: refuseMissing,
  create: createContract,
  update: updateContract,
  upserted: upsertedContract,
});

/** Maximum number of usages deleted with a contract: all of them are in memory. */
const mostUsages = 10_000;

/**
 * Deletes a contract with its usage, whatever its state. Usage is not prefetched: that of all contracts of a batch
 * would be in memory.
 */
export const deleteContract: Command<"subscription-contract/delete"> = {
  keys: (payload, prefetch) => prefetchNamedContract(payload, prefetch),
  async execute({ unit }, payload) {
    const contract = await requireNamedContract(unit, payload);
    const { id } = contract;
    if (await hasMoreUsages(unit, id, mostUsages))
      reject(
        "ConflictError",
        `The contract ${named(contract)} has more than ${mostUsages} usages, too many to delete; cancel it instead`,
      );
    const owner = { collection: subscriptionContracts, key: id };
    for (const usage of await unit.findUnder(owner, subscriptionContractUsages, "contract", id))
      unit.remove(subscriptionContractUsages, usage);
    unit.remove(subscriptionContracts, contract);
    return { action: "deleted", output: { id } };
  },
};
