import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { periodUnits } from "./price-terms.ts";

const name = part((s) => s.field("Name that people see, of at most 256 characters", s.filledText));

const identifier = part((s) =>
  s.field("Identifier of the setting, by which operations name it; it never changes", s.filledKey),
);

/** The list has a default: its first entry. */
const isDefault = part((s) =>
  s.field(
    "True makes it the first of its list, which is the default; false changes nothing",
    s.boolean.nullish(),
  ),
);

const position = part((s) =>
  s.field(
    "Position in its list, from 0 for the default; a position past the end means the last",
    s.integerFrom(0).nullish(),
  ),
);

/** A setting's id; without it, the setting is found by name. */
const idOrByName = part((s) =>
  s.field(
    "Id of the setting, also of a new one; without it, the one of this name is updated, or a new one gets an id",
    s.id.nullish(),
  ),
);

/** The id of an entry in a setting's list. */
const entryId = (by: "name" | "identifier") =>
  part((s) =>
    s.field(`Id; without it, that of the stored entry of the same ${by}, or a new one`, s.id.nullish()),
  );

const [idByName, idByIdentifier] = [entryId("name"), entryId("identifier")];

const language = part((s) =>
  z.object({
    code: s.field(
      "Code of the language, such as `en`, `no-nb` or `zh-Hans`; it never changes",
      s.languageCode,
    ),
    name: name(s),
    isDefault: isDefault(s),
    position: position(s),
  }),
);

const vatType = part((s) =>
  z.object({
    id: idOrByName(s),
    name: name(s),
    percent: s.field("Rate in percent, at most 1000", s.numberFrom(0)),
    isDefault: isDefault(s),
    position: position(s),
  }),
);

const priceVariant = part((s) =>
  z.object({
    identifier: identifier(s),
    name: name(s),
    currency: s.field("Currency of the prices, such as `EUR`", s.filledText),
    isDefault: isDefault(s),
    position: position(s),
  }),
);

const stockRules = part((s) =>
  z
    .object({
      minimum: s.field(
        "Minimum stock that is left; default 0, negative for what can be sold in advance",
        s.number.nullish(),
      ),
      unlimited: s.field("True: any stock, also below the minimum", s.boolean.nullish()),
    })
    .meta({ id: "StockLocationSettings" }),
);

const stockLocation = part((s) =>
  z.object({
    identifier: identifier(s),
    name: name(s),
    settings: s.field(
      "Rules for the stock at the location; they replace the stored ones",
      stockRules(s).nullish(),
    ),
    isDefault: isDefault(s),
    position: position(s),
  }),
);

const market = part((s) => z.object({ identifier: identifier(s), name: name(s) }));

const phase = part((s) =>
  z
    .object({
      period: s.field("How many units it lasts, at most 1000", s.integerFrom(1)),
      unit: s.field("The unit of the length", s.oneOf(periodUnits)),
    })
    .meta({ id: "SubscriptionPlanPhase" }),
);

const period = part((s) =>
  z
    .object({
      id: idByName(s),
      name: name(s),
      initial: s.field("The first phase, where it differs from the recurring one", phase(s).nullish()),
      recurring: s.field("The phase that recurs", phase(s)),
    })
    .meta({ id: "SubscriptionPlanPeriod" }),
);

const meteredVariable = part((s) =>
  z
    .object({
      id: idByIdentifier(s),
      identifier: s.field("Identifier of the variable within the plan", s.filledKey),
      name: name(s),
      unit: s.field("The unit that is counted, such as `request`", s.filledText),
    })
    .meta({ id: "SubscriptionPlanMeteredVariable" }),
);

const subscriptionPlan = part((s) =>
  z.object({
    identifier: identifier(s),
    name: name(s),
    periods: s.field(
      "The periods to subscribe for; the list replaces the stored one",
      z.array(period(s)).min(1),
    ),
    meteredVariables: s.field(
      "Variables whose use is counted; a list replaces the stored one",
      z.array(meteredVariable(s)).nullish(),
    ),
  }),
);

const stage = part((s) => z.object({ id: idByName(s), name: name(s) }).meta({ id: "PipelineStage" }));

const orderPipeline = part((s) =>
  z.object({
    id: idOrByName(s),
    name: name(s),
    stages: s.field(
      "The stages of an order, in order; the list replaces the stored one",
      z.array(stage(s)).min(1),
    ),
  }),
);

/** The intents of a tenant's settings. An upsert's result is the same whether it creates or updates. */
export const settingIntents = {
  "language/upsert": {
    payload: language,
    about: "Adds a language to the tenant's, or changes it",
    subject: "language",
    untimed: true,
    result: ["code", "name"],
    ours: true,
  },
  "vatType/upsert": {
    payload: vatType,
    about: "Adds a VAT type to the tenant's, or changes it",
    subject: "VAT type",
    untimed: true,
    result: ["id", "name", "percent"],
    ours: true,
  },
  "priceVariant/upsert": {
    payload: priceVariant,
    about: "Adds a price variant to the tenant's, or changes it",
    subject: "price variant",
    untimed: true,
    result: ["identifier", "name", "currency"],
    ours: true,
  },
  "stockLocation/upsert": {
    payload: stockLocation,
    about: "Adds a stock location to the tenant's, or changes it",
    subject: "stock location",
    untimed: true,
    result: ["identifier", "name"],
    ours: true,
  },
  "market/upsert": {
    payload: market,
    about: "Adds a market to the tenant's, or changes it",
    subject: "market",
    untimed: true,
    result: ["identifier", "name"],
    ours: true,
  },
  "subscriptionPlan/upsert": {
    payload: subscriptionPlan,
    about: "Adds a subscription plan to the tenant's, or changes it",
    subject: "subscription plan",
    untimed: true,
    result: [
      ...["identifier", "name", "periods.*.id", "periods.*.name"],
      ...["meteredVariables.*.id", "meteredVariables.*.identifier"],
    ],
    ours: true,
  },
  "orderPipeline/upsert": {
    payload: orderPipeline,
    about: "Adds an order pipeline to the tenant's, or changes it",
    subject: "order pipeline",
    untimed: true,
    result: ["id", "name", "stages.*.id", "stages.*.name"],
    ours: true,
  },
} as const satisfies IntentRows;

export type SettingIntent = keyof typeof settingIntents;

export const partLimits = { periods: 50, meteredVariables: 50, stages: 100, flowStages: 30 } as const;
