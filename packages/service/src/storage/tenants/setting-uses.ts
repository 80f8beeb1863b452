import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { SettingList } from "./settings.ts";

/**
 * The parts of a tenant's settings that operations refer to: list entries, and parts of plans and pipelines, by id.
 * Contracts refer to a metered variable by its identifier.
 */
export type SettingPart = SettingList | "periods" | "meteredVariables" | "variableIdentifiers" | "stages";

/** A table whose rows refer to a setting, whose key is `$2`, or to a part of it, whose key is `$3`. */
interface Use {
  what: string;
  table: string;
  condition: string;
  /** Advice for clearing the use. Default: change or delete the rows first. */
  remedy?: string;
}

/**
 * A condition that a JSON column has the key at a JSON path, in which `$setting` is the setting with a part. There is
 * no index for it, because it is rare.
 */
const jsonHas = (column: string, path: string) => {
  const keys = path.includes("$setting") ? "'setting', $2::text, 'key', $3::text" : "'key', $2::text";
  return `jsonb_path_exists(t.${column}::jsonb, '${path} ? (@ == $key)', jsonb_build_object(${keys}))`;
};

/** Several settings may have parts with the same id. */
const ofPlan = "$[*] ? (@.identifier == $setting)";
const ofPipeline = "$[*] ? (@.pipelineId == $setting)";

/** Uses in a JSON column of variants, and in their published versions, which stay when the draft changes. */
const inVariants = (
  column: "price_variants" | "stock_locations" | "subscription_plans",
  path: string,
): Use[] => [
  { what: "product variants", table: "product_variants", condition: jsonHas(column, path) },
  {
    what: "published product variants",
    remedy: "publish their products without it first",
    ...(column === "subscription_plans"
      ? {
          table: "item_contents",
          // Few contents are published, which an index finds.
          condition: `t.version = 'published' AND ${jsonHas("variants", path.replace("$", "$[*].subscriptionPlans"))}`,
        }
      : { table: "published_variants", condition: jsonHas(column, path) }),
  },
];

const inOrders = (path: string): Use => ({
  what: "orders",
  table: "orders",
  condition: jsonHas("pipelines", path),
});

const inPriceLists = (column: string, path: string): Use => ({
  what: "price lists",
  table: "price_lists",
  condition: jsonHas(column, path),
});

const inContracts = (condition: string): Use => ({
  what: "subscription contracts",
  table: "subscription_contracts",
  condition,
});

const uses: Readonly<Record<SettingPart, readonly Use[]>> = {
  languages: [
    { what: "items", table: "item_contents", condition: "t.language = $2" },
    { what: "topics", table: "topic_contents", condition: "t.language = $2" },
    { what: "aliases of items", table: "item_aliases", condition: "t.language = $2" },
    { what: "former paths of items", table: "item_former_paths", condition: "t.language = $2" },
    { what: "items in flows", table: "flow_items", condition: "t.language = $2" },
    {
      what: "product variants",
      table: "product_variants",
      condition: "EXISTS (SELECT 1 FROM json_object_keys(t.contents) AS k WHERE k = $2)",
    },
  ],
  vatTypes: [{ what: "products", table: "items", condition: "t.vat_type_id = $2" }],
  priceVariants: [
    ...inVariants("price_variants", "$[*].identifier"),
    ...inVariants("subscription_plans", "$[*].periods[*].**.priceVariants[*].identifier"),
    inPriceLists("price_variants", "$[*].identifier"),
    { ...inPriceLists("price_variants", "$[*].identifier"), table: "price_list_variants" },
  ],
  stockLocations: [
    ...inVariants("stock_locations", "$[*].identifier"),
    { what: "orders", table: "orders", condition: "t.stock_location_identifier = $2" },
  ],
  markets: [inPriceLists("target_audience", "$.marketIdentifiers[*]")],
  subscriptionPlans: [
    ...inVariants("subscription_plans", "$[*].identifier"),
    inContracts("t.plan_identifier = $2"),
  ],
  pipelines: [inOrders("$[*].pipelineId")],
  periods: [
    ...inVariants("subscription_plans", `${ofPlan}.periods[*].id`),
    inContracts("t.plan_identifier = $2 AND t.subscription_plan->>'periodId' = $3"),
  ],
  meteredVariables: inVariants("subscription_plans", `${ofPlan}.periods[*].**.meteredVariables[*].id`),
  variableIdentifiers: [
    inContracts(`t.plan_identifier = $2 AND jsonb_path_exists(jsonb_build_array(t.initial, t.recurring),
      '$[*].meteredVariables[*].identifier ? (@ == $key)', jsonb_build_object('key', $3::text))`),
  ],
  stages: [inOrders(`${ofPipeline}.stageId`)],
};

/**
 * The rows that refer to a setting or a part of one, such as `orders`, and what to do first; undefined if there are
 * none. `key` is the setting's, followed by the part's key if `part` is one.
 */
export async function useOfSetting(
  unit: Pick<UnitOfWork, "ask">,
  part: SettingPart,
  key: readonly string[],
): Promise<Required<Pick<Use, "what" | "remedy">> | undefined> {
  for (const { what, table, condition, remedy = "change or delete them first" } of uses[part]) {
    const rows = await unit.ask(
      `SELECT 1 FROM ${table} t WHERE t.tenant_id = $1 AND ${condition} LIMIT 1`,
      key,
    );
    if (rows.length > 0) return { what, remedy };
  }
  return undefined;
}
