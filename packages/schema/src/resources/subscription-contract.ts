import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { address } from "./address.ts";
import { identifiedBy, resourceIdentifier } from "./identity.ts";
import { keyValue } from "./key-value.ts";
import { payment } from "./payment.ts";

const plan = part((s) =>
  z.object({ identifier: s.text, periodId: s.id, periodName: s.text }).meta({ id: "ContractPlan" }),
);

const status = part((s) =>
  z
    .object({
      activateAt: s.dateTime.nullish(),
      activeUntil: s.dateTime.nullish(),
      renewAt: s.dateTime.nullish(),
    })
    .meta({ id: "ContractStatus" }),
);

const item = part((s) =>
  z
    .object({
      sku: s.text,
      quantity: s.number.nullish(),
      name: s.name.nullish(),
      imageUrl: s.text.nullish(),
      meta: z.array(keyValue(s)).nullish(),
    })
    .meta({ id: "ContractItem" }),
);

const tier = part((s) =>
  z.object({ currency: s.text, price: s.price, threshold: s.number }).meta({ id: "ContractTier" }),
);

const meteredVariable = part((s) =>
  z
    .object({ identifier: s.text, tierType: s.oneOf(["graduated", "volume"]), tiers: z.array(tier(s)) })
    .meta({ id: "ContractMeteredVariable" }),
);

const phase = part((s) =>
  z
    .object({
      currency: s.text,
      price: s.number,
      period: s.integer.optional(),
      unit: s.oneOf(["day", "week", "month", "year"]).optional(),
      meteredVariables: z.array(meteredVariable(s)).nullish(),
      productVariants: z.array(item(s)).nullish(),
    })
    .meta({ id: "ContractPhase" }),
);

const contractFields = part((s) => ({
  addresses: z.array(address(s)).optional(),
  payment: payment(s).optional(),
  subscriptionPlan: plan(s),
  status: status(s),
  item: item(s),
  signedAt: s.dateTime.nullish(),
  initial: phase(s).nullish(),
  recurring: phase(s),
  meta: z.array(keyValue(s)).nullish(),
}));

/** A contract of a customer for one variant. */
const createContract = part((s) =>
  z.object({ customerIdentifier: s.text, ...contractFields(s), ...resourceIdentifier(s) }),
);

/** Absent fields stay unchanged; the status is replaced as a whole. The customer cannot be changed. */
const updateContract = part((s) =>
  z
    .object(contractFields(s))
    .partial()
    .extend({ customerIdentifier: s.text.optional(), id: s.id.optional(), ...resourceIdentifier(s) })
    .superRefine(identifiedBy("id")),
);

/** Without any identity, a contract is created. */
const upsertContract = part((s) => createContract(s).extend({ id: s.id.optional() }));

/** The intents of subscription contracts. */
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
} as const satisfies IntentRows;
