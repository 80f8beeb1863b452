import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { address } from "./address.ts";
import { identifiedBy, resourceIdentifier } from "./identity.ts";
import { keyValue } from "./key-value.ts";
import { payment } from "./payment.ts";
import { periodUnits, tierTypes } from "./price-terms.ts";

const plan = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the subscription plan", s.text),
      periodId: s.field("Id of the period of the plan", s.id),
      periodName: s.field("Name of the period, stored as it is", s.text),
    })
    .meta({ id: "ContractPlan" }),
);

const status = part((s) =>
  z
    .object({
      activateAt: s.field("When the contract begins; no other date may be set with it", s.dateTime.nullish()),
      activeUntil: s.field("When the current period ends", s.dateTime.nullish()),
      renewAt: s.field("When the contract is to be renewed; needs `activeUntil`", s.dateTime.nullish()),
    })
    .meta({ id: "ContractStatus" }),
);

const item = part((s) =>
  z
    .object({
      sku: s.field("SKU of the variant", s.text),
      quantity: s.field("How many", s.number.nullish()),
      name: s.field("Name of the variant", s.name.nullish()),
      imageUrl: s.field("URL of an image of the variant", s.text.nullish()),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
    })
    .meta({ id: "ContractItem" }),
);

const tier = part((s) =>
  z
    .object({
      currency: s.field("Currency, such as `EUR`", s.text),
      price: s.field("Price of one unit from this usage on", s.price),
      threshold: s.field("Usage from which the price applies", s.number),
    })
    .meta({ id: "ContractTier" }),
);

const meteredVariable = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the metered variable of the plan", s.text),
      tierType: s.field("How the tiers apply to the usage", s.oneOf(tierTypes)),
      tiers: s.field("Prices by usage", z.array(tier(s))),
    })
    .meta({ id: "ContractMeteredVariable" }),
);

const phase = part((s) =>
  z
    .object({
      currency: s.field("Currency of the price, such as `EUR`", s.text),
      price: s.field("Price of one period", s.number),
      period: s.field("How many units one period lasts", s.integer.optional()),
      unit: s.field("Unit of the period", s.oneOf(periodUnits).optional()),
      meteredVariables: s.field("Prices of what is used in the phase", z.array(meteredVariable(s)).nullish()),
      productVariants: s.field(
        "Variants that the contract includes in the phase",
        z.array(item(s)).nullish(),
      ),
    })
    .meta({ id: "ContractPhase" }),
);

const contractFields = part((s) => ({
  addresses: s.field("Addresses for the contract", z.array(address(s)).optional()),
  payment: s.field("How the contract is paid; null removes the stored one", payment(s).nullish()),
  subscriptionPlan: s.field("The plan and period that the contract follows", plan(s)),
  status: s.field("Dates of the contract, from which its state follows", status(s)),
  item: s.field("The variant that the contract is for", item(s)),
  signedAt: s.field("When the contract was signed", s.dateTime.nullish()),
  initial: s.field("Terms of the first period, if they differ", phase(s).nullish()),
  recurring: s.field("Terms of every other period", phase(s)),
  meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
}));

const createContract = part((s) =>
  z.object({
    customerIdentifier: s.field("Identifier of the customer, who must be stored", s.text),
    ...contractFields(s),
    ...resourceIdentifier(s),
  }),
);

/** Absent fields stay unchanged; the status is replaced as a whole. The customer cannot be changed. */
const updateContract = part((s) =>
  z
    .object(contractFields(s))
    .partial()
    .extend({
      customerIdentifier: s.field("Identifier of the customer, which cannot be changed", s.text.optional()),
      id: s.field(
        "Id of the contract to update; it takes precedence over `resourceIdentifier`",
        s.id.optional(),
      ),
      ...resourceIdentifier(s),
    })
    .superRefine(identifiedBy("id")),
);

/** Without any identity, a contract is created. */
const upsertContract = part((s) =>
  createContract(s).extend({
    id: s.field("Id of the contract; it takes precedence over `resourceIdentifier`", s.id.optional()),
  }),
);

const deleteContract = part((s) =>
  z
    .object({
      id: s.field(
        "Id of the contract to delete; it takes precedence over `resourceIdentifier`",
        s.id.optional(),
      ),
      ...resourceIdentifier(s),
    })
    .superRefine(identifiedBy("id")),
);

export const contractIntents = {
  "subscription-contract/create": {
    payload: createContract,
    about: "Creates a subscription contract",
    subject: "subscription contract",
    result: ["id"],
  },
  "subscription-contract/update": {
    payload: updateContract,
    about: "Updates a subscription contract",
    subject: "subscription contract",
    result: ["id"],
  },
  "subscription-contract/upsert": {
    payload: upsertContract,
    about: "Creates or updates a subscription contract",
    subject: "subscription contract",
    actsAs: ["subscription-contract/create", "subscription-contract/update"],
  },
  "subscription-contract/delete": {
    payload: deleteContract,
    about: "Deletes a subscription contract with its usage",
    subject: "subscription contract",
    ours: true,
    result: ["id"],
  },
} as const satisfies IntentRows;
