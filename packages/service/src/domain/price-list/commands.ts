import type { Payload, Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type PriceListRow, priceLists, priceListVariants } from "../../storage/collections/price-lists.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { merge } from "../merge.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { changedTimestamp } from "../payload/timestamp.ts";
import { writeCommands } from "../write-commands.ts";
import { prefetchAudience, requireAudience } from "./audience.ts";
import { checkDates, checkPriceList } from "./check.ts";
import { prefetchSkus, replaceSelection, requireModifiers, requireSelectedModifiers } from "./selection.ts";

type NewPriceList = Payload<"pricelist/create">;
type ChangedPriceList = Payload<"pricelist/update">;

const variantsPath = ["selectedProductVariants", "variants"];

function prefetchPriceList(payload: Written<ChangedPriceList>, prefetch: Prefetch): void {
  const { identifier, selectedProductVariants, targetAudience } = payload;
  prefetch(priceLists, "key", [identifier]);
  if (selectedProductVariants?.variants !== undefined) prefetch(priceListVariants, "priceList", [identifier]);
  prefetchSkus(selectedProductVariants?.variants, prefetch);
  prefetchAudience(targetAudience, prefetch);
}

/** The price list with this identifier; rejects with `PriceListNotFoundError`. */
export async function requirePriceList(unit: UnitOfWork, identifier: string): Promise<PriceListRow> {
  return (await unit.get(priceLists, identifier)) ?? refuseMissing(identifier);
}

const refuseMissing = (identifier: string): never =>
  reject("PriceListNotFoundError", `There is no price list "${identifier}"`, ["identifier"]);

async function createPriceList(context: CommandContext, payload: NewPriceList): Promise<CommandResult> {
  const { unit, now } = context;
  const { identifier, name, modifierType, priceVariants, selectedProductVariants } = payload;
  if ((await unit.get(priceLists, identifier)) !== undefined)
    reject("PriceListIdentifierTakenError", `A price list "${identifier}" exists already`, ["identifier"]);
  const { startDate = null, endDate = null } = check(context, payload);
  checkDates(startDate, endDate);
  refuseNewKey(identifier, "identifier");
  unit.insert(priceLists, {
    identifier,
    name,
    modifierType,
    priceVariants,
    selectionType: selectedProductVariants.type,
    targetAudience: await requireAudience(context, payload.targetAudience),
    startDate,
    endDate,
    createdAt: now,
    updatedAt: now,
  });
  await replaceSelection(unit, identifier, selectedProductVariants.variants ?? [], variantsPath);
  return { action: "created", output: { identifier } };
}

/** Absent fields are kept, null clears, lists replace; the audience is replaced as a whole. */
async function updatePriceList(
  context: CommandContext,
  list: PriceListRow,
  payload: ChangedPriceList,
): Promise<CommandResult> {
  const { unit, now } = context;
  const { name, modifierType, priceVariants, selectedProductVariants, targetAudience } = payload;
  const dates = check(context, payload);
  const patch = {
    ...{ name, modifierType, priceVariants, ...dates },
    selectionType: selectedProductVariants?.type,
    targetAudience: targetAudience && (await requireAudience(context, targetAudience)),
  };
  const variants = selectedProductVariants?.variants;
  const reselected =
    variants !== undefined && (await replaceSelection(unit, list.identifier, variants ?? [], variantsPath));
  const changed = merge(list, patch, now) ?? (reselected ? { ...list, updatedAt: now } : undefined);
  if (changed !== undefined) unit.update(priceLists, changed);
  const { identifier, ...after } = changed ?? list;
  checkDates(after.startDate, after.endDate);
  const output = { name: after.name, identifier, modifierType: after.modifierType };
  return { action: changed ? "updated" : "unchanged", output };
}

/** Rejects a payload that breaks a limit or names an unknown price variant. */
function check({ tenant }: CommandContext, payload: ChangedPriceList) {
  checkPriceList(payload);
  requireModifiers(tenant, payload.priceVariants, ["priceVariants"]);
  requireSelectedModifiers(tenant, payload.selectedProductVariants?.variants, variantsPath);
  return {
    startDate: changedTimestamp(payload.startDate, ["startDate"]),
    endDate: changedTimestamp(payload.endDate, ["endDate"]),
  };
}

export const priceListCommands = writeCommands({
  keys: prefetchPriceList,
  find: (unit, { identifier }) => unit.get(priceLists, identifier),
  missing: ({ identifier }) => refuseMissing(identifier),
  create: createPriceList,
  update: updatePriceList,
});

/** Deletes a price list with its selection of variants. */
export const deletePriceList: Command<"pricelist/delete"> = {
  keys({ identifier }, prefetch) {
    prefetch(priceLists, "key", [identifier]);
    prefetch(priceListVariants, "priceList", [identifier]);
  },
  async execute({ unit }, { identifier }) {
    const list = await requirePriceList(unit, identifier);
    const owner = { collection: priceLists, key: identifier };
    for (const selected of await unit.findUnder(owner, priceListVariants, "priceList", identifier))
      unit.remove(priceListVariants, selected);
    unit.remove(priceLists, list);
    return { action: "deleted", output: { identifier } };
  },
};
