/** The arguments of a helper, in order; one with a question mark may be left out. */
export type Parameters = readonly string[];

const scope = ["language?", "version?"] as const;

/** The helpers of operations and the arguments of each. */
export const operationHelpers = {
  upload: ["url", "resourceIdentifier?"],
  valueOf: ["entity", "property"],
  fetchItemById: ["id", ...scope],
  fetchItemByResourceIdentifier: ["resourceIdentifier", ...scope],
  fetchProductVariantBySku: ["sku", ...scope],
  fetchTopicByResourceIdentifier: ["resourceIdentifier", "language?"],
  fetchImageByResourceIdentifier: ["resourceIdentifier", "language?"],
  fetchOrderById: ["id"],
  fetchSubscriptionContractById: ["id"],
  fetchCustomerByIdentifier: ["identifier"],
  fetchCustomerGroupByIdentifier: ["identifier"],
  fetchPriceListByIdentifier: ["identifier"],
} as const satisfies Record<string, Parameters>;

const parameters: Readonly<Record<string, Parameters>> = {
  lookup: ["object", "property"],
  ...operationHelpers,
};

/** Every helper: those of operations, and the one of Handlebars itself that is not a block. */
export const helperNames: readonly string[] = Object.keys(parameters);

/** The helpers of the language itself. They read a property of their first argument. */
export const readers: readonly string[] = ["lookup", "valueOf"];

/** The versions of an item that a helper can fetch; the first is the default. */
export const fetchVersions = ["draft", "published"] as const;

/** The call of a helper as it is written: an argument that is not a literal is undefined. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: readonly unknown[];
  readonly named: readonly string[];
}

/** Says how a helper that exists is called wrongly, after its name: `takes …, got …`. Undefined if it is not. */
export function misuseOf(call: WrittenCall): string | undefined {
  const expected = Object.hasOwn(parameters, call.name) ? parameters[call.name]! : [];
  const required = expected.filter((name) => !name.endsWith("?")).length;
  const count = call.arguments.length;
  if (call.named.length > 0) return `takes no named arguments; it got ${JSON.stringify(call.named[0])}`;
  if (count < required || count > expected.length)
    return `takes ${parameterText(expected)}; it got ${count} argument${count === 1 ? "" : "s"}`;
  const version = call.arguments[expected.indexOf("version?")];
  if (version === undefined || version === null || fetchVersions.some((name) => name === version))
    return undefined;
  const versions = fetchVersions.map((name) => JSON.stringify(name)).join(" and ");
  return `knows the versions ${versions}, not ${JSON.stringify(version)}`;
}

/** `id, and optionally language and version` */
function parameterText(expected: Parameters): string {
  const names = expected.map((name) => name.replace("?", ""));
  const optional = expected.length - expected.filter((name) => !name.endsWith("?")).length;
  const required = names.slice(0, names.length - optional).join(" and ");
  if (optional === 0) return required;
  return `${required}, and optionally ${names.slice(names.length - optional).join(" and ")}`;
}
