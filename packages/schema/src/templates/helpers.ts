import type { KindWithId } from "../identity/natural-key.ts";
import { describe } from "./evaluate/messages.ts";

/** A helper's arguments, in order; those with a question mark are optional. */
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
  idOf: ["kind", "by", "key", "within?"],
} as const satisfies Record<string, Parameters>;

const parameters: Readonly<Record<string, Parameters>> = {
  lookup: ["object", "property"],
  ...operationHelpers,
};

/** Every helper: those of operations, and the one of Handlebars itself that is not a block. */
export const helperNames: readonly string[] = Object.keys(parameters);

/** Built-in helpers. They read a property of their first argument. */
export const readers: readonly string[] = ["lookup", "valueOf"];

/** The versions of an item a helper can fetch; the first is the default. */
export const fetchVersions = ["draft", "published"] as const;

const item = ["resourceIdentifier", "externalReference"] as const;
const resource = ["resourceIdentifier"] as const;

/** The kinds found by `idOf`: entities with ids, items by type, and parts of settings. */
type Found =
  | Exclude<KindWithId, "item">
  | ("folder" | "document" | "product")
  | ("pipelineStage" | "planPeriod" | "meteredVariable");

/** The kinds that `idOf` finds, and the keys for each. */
export const idOfKeys = {
  folder: item,
  document: item,
  product: [...item, "sku"],
  topic: [...resource, "path"],
  order: resource,
  contract: resource,
  vatType: ["name"],
  orderPipeline: ["name"],
  pipelineStage: ["name"],
  planPeriod: ["name"],
  meteredVariable: ["identifier"],
} as const satisfies Readonly<Record<Found, readonly string[]>>;

/** A helper call as written; an argument that is not a literal is undefined. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

/** Explains the misuse of an existing helper, after its name: `takes …, got …`. Undefined if it is used correctly. */
export function misuseOf(call: WrittenCall): string | undefined {
  const expected = Object.hasOwn(parameters, call.name) ? parameters[call.name]! : [];
  const required = expected.filter((name) => !name.endsWith("?")).length;
  const count = call.arguments.length;
  const names = Object.keys(call.named);
  const unknown = names.find((name) => call.name !== "upload" || name !== digestName);
  if (unknown !== undefined) return `${namedText(call.name)}; it got ${JSON.stringify(unknown)}`;
  if (count < required || count > expected.length)
    return `takes ${parameterText(expected)}; it got ${count} argument${count === 1 ? "" : "s"}`;
  if (call.name === "idOf") return misuseOfKey(call.arguments);
  if (names.length > 0) return misuseOfDigest(call.named[digestName]);
  const version = call.arguments[expected.indexOf("version?")];
  if (version === undefined || version === null || fetchVersions.some((name) => name === version))
    return undefined;
  const versions = fetchVersions.map((name) => JSON.stringify(name)).join(" and ");
  return `knows the versions ${versions}, not ${JSON.stringify(version)}`;
}

/** The named argument of `upload`: what the image at the URL must be. */
const digestName = "sha256";

const namedText = (name: string) =>
  name === "upload" ? `takes no named argument but "${digestName}"` : "takes no named arguments";

/** A digest, as `upload` takes it: the file's, in hexadecimal. */
const digest = /^[0-9a-f]{64}$/i;

function misuseOfDigest(written: unknown): string | undefined {
  if (written === undefined || (typeof written === "string" && digest.test(written))) return undefined;
  return `takes 64 hexadecimal digits as ${digestName}, not ${describe(written)}`;
}

function misuseOfKey(written: readonly unknown[]): string | undefined {
  const [kind, by, key] = written;
  const keys: Readonly<Record<string, readonly string[]>> = idOfKeys;
  if (typeof kind !== "string") return undefined;
  if (!Object.hasOwn(keys, kind))
    return `knows the kinds ${Object.keys(keys).join(", ")}, not ${JSON.stringify(kind)}`;
  if (typeof by === "string" && !keys[kind]!.includes(by))
    return `finds a ${kind} by ${keys[kind]!.join(" or ")}, not by ${JSON.stringify(by)}`;
  const isWithin = kindsWithin.has(kind);
  if (isWithin && written.length < 4) return `takes a fourth argument, which names what has the ${kind}`;
  if (!isWithin && by !== "path" && typeof by === "string" && written.length > 3)
    return `takes no fourth argument for a ${kind} by ${by}`;
  if (by === "path" && typeof key === "string" && key !== "" && !/^(\/[^/]+)+$/.test(key))
    return `takes a path such as "/tea/green", not ${JSON.stringify(key)}`;
  return undefined;
}

/** Kinds whose keys are unique only within something else, the fourth argument of `idOf`. */
const kindsWithin: ReadonlySet<string> = new Set(["pipelineStage", "planPeriod", "meteredVariable"]);

/** `id, and optionally language and version` */
function parameterText(expected: Parameters): string {
  const names = expected.map((name) => name.replace("?", ""));
  const optional = expected.length - expected.filter((name) => !name.endsWith("?")).length;
  const required = names.slice(0, names.length - optional).join(" and ");
  if (optional === 0) return required;
  return `${required}, and optionally ${names.slice(names.length - optional).join(" and ")}`;
}
