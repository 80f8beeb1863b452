import { isObject, valueRules } from "@lading/schema/internal";
import type { ItemAliasRow } from "../../storage/collections/item-aliases.ts";
import type { Operation } from "./operation.ts";

/** The location of omitted data in items. */
export interface OmissionLocation {
  /** The shape of the items. */
  readonly shape?: string;
  /** The component of the shape. */
  readonly component?: string;
}

/** Data that operations cannot write: the number of omissions, and some of the ids. */
export interface Omission extends OmissionLocation {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
  /** The aliases concerned, up to a limit: a diff treats them as existing. */
  readonly aliases?: readonly ItemAliasRow[];
}

const refusedKey = "a blank or padded key, which new entities cannot have";

/** Fields with client keys, and fields with objects that have such fields. */
const [keyFields, holders] = [
  ["identifier", "resourceIdentifier", "externalReference", "sku"],
  ["customer", "variants", "stages", "meteredVariables"],
];

/** Maximum number of ids listed per omission. */
const mostExamples = 5;
/** Maximum number of aliases listed: with paths of any length, the line stays below its limit. */
const mostAliases = 5_000;

/** An omission being counted. */
interface Growing extends Omission {
  count: number;
  readonly examples: string[];
  aliases?: ItemAliasRow[];
}

/** Counts everything that a dump omits. */
export class Omissions {
  readonly #byText = new Map<string, Growing>();

  /** Records that data of the row with this id is omitted, separately per location in items. */
  add(what: string, id: string, location?: OmissionLocation): void {
    this.#counted(what, id, location);
  }

  /** Records an omitted alias. */
  addAlias(what: string, { itemId, language, path }: ItemAliasRow): void {
    const omission = this.#counted(what, path);
    omission.aliases ??= [];
    if (omission.aliases.length < mostAliases) omission.aliases.push({ itemId, language, path });
  }

  #counted(what: string, id: string, { shape, component }: OmissionLocation = {}): Growing {
    const key = `${what} ${shape ?? ""} ${component ?? ""}`;
    const location = { ...(shape && { shape }), ...(component && { component }) };
    const omission: Growing = this.#byText.get(key) ?? { what, count: 0, examples: [], ...location };
    omission.count++;
    if (omission.examples.length < mostExamples) omission.examples.push(id);
    this.#byText.set(key, omission);
    return omission;
  }

  /**
   * Records keys in an operation's fields that are not valid for new rows: the operation fails if the row doesn't
   * exist.
   */
  addKeys(fields: Operation["fields"]): void {
    for (const name of keyFields) {
      const key = fields[name];
      if (typeof key === "string" && valueRules.key.objection(key) !== undefined)
        this.add(refusedKey, JSON.stringify(key));
    }
    for (const name of holders) {
      const held = fields[name];
      if (held === undefined) continue;
      for (const each of Array.isArray(held) ? held : [held]) if (isObject(each)) this.addKeys(each);
    }
  }

  /** Lists the omissions so far. */
  list(): Omission[] {
    return [...this.#byText.values()];
  }
}
