import {
  checkOperation,
  entityIdOf,
  entityKindOf,
  entityKinds,
  fileLimits,
  hasTemplate,
  isEnvelopeField,
  isIntent,
  isObject,
  literalTemplate,
  mayHaveTemplates,
  naturalKeysOf,
  nounOf,
  parsePayload,
  problemText,
  shortened,
} from "@lading/schema/internal";
import { isDeeper, valuesIn } from "../../size.ts";
import { type Operation, rootId } from "../indexed-dump.ts";

/** A line of a dump that no dump of a tenant has. */
export class NotOfDump extends Error {
  override readonly name = "NotOfDump";
}

interface Form {
  /** The fields that it has; absent for all of the payload. */
  readonly fields?: readonly string[];
  /** A list that has one entry. */
  readonly single?: string;
}

const whole: Form = {};
const parents: Form = { fields: ["identifier", "parents"] };

const upserts = entityKinds.flatMap((kind) => nounOf(kind).intents.map((noun) => `${noun}/upsert`));

/** The intents that dumps have. A dump may come from anywhere, and what it has is run in a tenant of ours. */
const forms: ReadonlyMap<string, Form> = new Map(
  Object.entries<Form>({
    ...Object.fromEntries(upserts.map((intent) => [intent, whole])),
    ...{ "folder/update": whole, "document/update": whole, "product/update": whole },
    "item/publish": { fields: ["itemId", "language"] },
    ...{ "customer/group/update": parents, "customer/update": parents },
    "pricelist/selectedProductVariants/upsert": whole,
    "item/flow/stage/addItems": { single: "items" },
    "flow/update": { fields: ["identifier", "restrictions"] },
    ...{ "item/paths/addAliases": { single: "paths" }, "item/paths/setHistory": whole },
    "item/paths/addShortcuts": { single: "shortcuts" },
  }),
);

/** The intents that write versions of items, which a publication names. */
const named: ReadonlySet<string> = new Set(
  ["folder", "document", "product"].flatMap((type) => [`${type}/upsert`, `${type}/update`]),
);

/** Reads an operation from its line. @throws NotOfDump unless a dump has such a line */
export function acceptedOperation(line: string): Operation {
  if (line.length > fileLimits.values && valuesIn(line) > fileLimits.values)
    throw new NotOfDump(`has more than ${fileLimits.values} values`);
  const operation = parsed(line);
  if (!isObject(operation)) throw new NotOfDump("is not an operation");
  const { intent } = operation;
  const form = typeof intent === "string" ? forms.get(intent) : undefined;
  if (form === undefined || !isIntent(intent))
    throw new NotOfDump(`has the intent "${shortened(String(intent))}"`);
  if (isDeeper(operation, fileLimits.depth - 2))
    throw new NotOfDump("has objects and lists too deep within each other");
  checkForm(operation, intent, form);
  if (mayHaveTemplates(line)) checkTemplates(withoutName(operation, intent), "");
  if ("errors" in parsePayload(intent, operation)) {
    const [problem] = checkOperation(operation).errors;
    if (problem !== undefined) throw new NotOfDump(`has a wrong ${intent}: ${problemText(problem)}`);
  }
  return { ...operation, intent };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new NotOfDump("is not JSON");
  }
}

function checkForm(operation: Readonly<Record<string, unknown>>, intent: string, { fields, single }: Form) {
  const mayHave = (field: string) =>
    field === "_ref"
      ? named.has(intent) && versionName.test(String(operation._ref))
      : !isEnvelopeField(field) && (fields === undefined || fields.includes(field));
  const other = Object.keys(operation).find((field) => field !== "intent" && !mayHave(field));
  if (other !== undefined) throw new NotOfDump(`has "${shortened(other)}" in ${intent}`);
  const list = single === undefined ? undefined : operation[single];
  if (single !== undefined && !(Array.isArray(list) && list.length === 1))
    throw new NotOfDump(`has ${intent} without exactly one of "${single}"`);
  const hasKey = entityIdOf(intent, operation) !== undefined || naturalKeysOf(intent, operation).length > 0;
  if (entityKindOf(intent) !== undefined && !hasKey) throw new NotOfDump(`has ${intent} without an id`);
}

/**
 * The name of a version that an item's operation writes, in `_ref` and in the publication behind it: the code of a
 * language, which has 64 characters at most, up to 31 of them underscores that are doubled, and an id.
 */
const versionPattern = String.raw`\w{1,120}`;
const versionName = new RegExp(`^${versionPattern}$`);
const publishedVersion = new RegExp(String.raw`^\{\{ (${versionPattern})\.id \}\}$`);

/** The name of the version that a publication takes the id of its item from. */
export const publishedName = ({ itemId }: Readonly<Record<string, unknown>>): string | undefined =>
  publishedVersion.exec(String(itemId))?.[1];

/** A publication without the name of what it publishes. */
const withoutName = (operation: Readonly<Record<string, unknown>>, intent: string): object =>
  intent === "item/publish" && publishedName(operation) !== undefined
    ? { ...operation, itemId: "" }
    : operation;

/** A template that names the image with an address, or with a path in the folder of the file. */
const upload = /^\{\{ upload "(?:https?:|\.\/)[^"\\{}\s]*"(?: sha256="[0-9a-f]{64}")? \}\}$/;

/** Refuses templates that dumps do not have: they would read what the tenant has in which they are run. */
function checkTemplates(value: unknown, field: string): void {
  if (typeof value === "string") {
    const isKnown =
      !hasTemplate(value) ||
      value === rootId ||
      (field === "key" && upload.test(value)) ||
      literalTemplate(literalOf(value)) === value;
    if (!isKnown) throw new NotOfDump(`has the template ${shortened(value)}`);
  } else if (Array.isArray(value)) for (const member of value) checkTemplates(member, field);
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) checkTemplates(member, key);
}

/** The text that a template renders to, if it is one of `literalTemplate`. */
const literalOf = (template: string): string =>
  template.replace(/(?<!\\)\\(\\*)\{\{!\}\}\\\{\{|\\\{\{/g, (_, backslashes: string | undefined) =>
    backslashes === undefined ? "{{" : `${backslashes}{{`,
  );
