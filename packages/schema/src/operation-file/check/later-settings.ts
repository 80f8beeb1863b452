import { keyFieldOf, kindsIn, nounOf } from "../../identity/natural-key.ts";
import { type Intent, intents, payloads } from "../../intents.ts";
import { isObject } from "../../is-object.ts";
import { type JsonPath, toPointer } from "../../problems/json-pointer.ts";
import { quoted } from "../../problems/phrases.ts";
import type { SettingIntent } from "../../resources/setting.ts";
import { byKey, keysOf } from "../../tables.ts";
import { hasTemplate } from "../../templates/is-template.ts";
import type { FoundValue } from "../read/boundary-state.ts";
import type { Finding, Issue } from "../report/issue.ts";
import { type IssueList, insertIssue } from "../report/issue-list.ts";
import { issueAt, type Subject } from "../report/report.ts";

/** The field of each payload by which operations name the setting. */
export const settingKeys = Object.fromEntries(
  kindsIn("settings").map((kind) => [`${nounOf(kind).intents[0]}/upsert`, keyFieldOf(kind)]),
) as { readonly [I in SettingIntent]: string };

/** Tests if a tenant has a setting: the intent that adds such ones, and the key by which operations name it. */
export type HasSetting = (intent: SettingIntent, key: string) => boolean;

/** Fields that name settings, in objects and in lists of them, each with the intent that adds such a setting. */
interface Names {
  readonly [field: string]: SettingIntent | Names;
}

const price: Names = { identifier: "priceVariant/upsert" };
const phase: Names = { priceVariants: price, meteredVariables: { tiers: { priceVariants: price } } };
const variant: Names = {
  priceVariants: price,
  stockLocations: { identifier: "stockLocation/upsert" },
  subscriptionPlans: {
    identifier: "subscriptionPlan/upsert",
    periods: { initial: phase, recurring: phase },
  },
};
export const settingNames: Names = {
  ...variant,
  variants: variant,
  language: "language/upsert",
  items: { language: "language/upsert" },
  vatTypeId: "vatType/upsert",
  priceVariantIdentifier: "priceVariant/upsert",
  stockLocationIdentifier: "stockLocation/upsert",
  selectedProductVariants: { variants: { priceVariants: price } },
  targetAudience: { marketIdentifiers: "market/upsert" },
  subscriptionPlan: { identifier: "subscriptionPlan/upsert" },
  pipelines: { pipelineId: "orderPipeline/upsert" },
};

/** Maximum settings per list remembered for a file, and maximum UTF-16 units of a key. */
const remembered = { count: 1_000, key: 200 };

export interface LaterSettings {
  readonly has: HasSetting;
  /**
   * The first use of each setting, by the intent that adds it and by key; null if the tenant has the setting,
   * or the file had already added it. Memory is bounded: nothing is reported about settings beyond the limit.
   */
  readonly firstUses: FirstUses;
}

type FirstUses = { readonly [I in SettingIntent]: Map<string, Issue | null> };

/** The settings of every new tenant, for a check without a tenant. */
const hasInitially: HasSetting = (intent, key) =>
  intent === "language/upsert" ? key === "en" : key === "default";

export const laterSettings = (has: HasSetting = hasInitially): LaterSettings => ({
  has,
  firstUses: byKey(keysOf(settingKeys), () => new Map()),
});

interface PlacedOperation {
  readonly intent: Intent;
  readonly operation: unknown;
  readonly found: FoundValue;
  readonly subject: () => Subject;
}

/**
 * Records the settings an operation names. For an operation that adds a setting, reports the first earlier
 * operation that named it. Call it for all operations of a file in order.
 */
export function checkSettings(
  { has, firstUses }: LaterSettings,
  { intent, operation, found, subject }: PlacedOperation,
  issues: IssueList,
): void {
  if (!isObject(operation)) return;
  if (isSettingIntent(intent)) added(firstUses, intent, operation[settingKeys[intent]], { subject, issues });
  if (namesNothingNew(intent)(operation, firstUses)) return;
  visit(settingNames, operation, [], (adding, key, path) => {
    if (isSettled(firstUses[adding], key)) return;
    firstUses[adding].set(key, has(adding, key) ? null : issueAt(found, subject(), useAt(path)));
  });
}

const isSettingIntent = (intent: Intent): intent is SettingIntent => Object.hasOwn(settingKeys, intent);

function added(
  firstUses: FirstUses,
  intent: SettingIntent,
  key: unknown,
  { subject, issues }: Pick<PlacedOperation, "subject"> & { issues: IssueList },
): void {
  if (typeof key !== "string") return;
  const issue = firstUses[intent].get(key);
  if (issue !== null && !isSettled(firstUses[intent], key)) firstUses[intent].set(key, null);
  if (!issue) return;
  firstUses[intent].set(key, null);
  const setting = `${intents[intent].subject} ${quoted(key)}`;
  const message = `operations[${subject().operationIndex}] adds the ${setting} only later: unless the tenant has it, the operation will fail`;
  insertIssue(issues, { ...issue, message });
}

/** True for a key not worth recording, or beyond the limit; also for templates, which may name any. */
const isSettled = (uses: ReadonlyMap<string, unknown>, key: string): boolean =>
  uses.has(key) || key.length > remembered.key || uses.size >= remembered.count || hasTemplate(key);

/** A finding that `added` completes. */
const useAt = (path: JsonPath): Finding => ({
  ...{ severity: "warning", code: "LaterSetting", message: "" },
  pointer: toPointer(path),
});

type Test = (value: unknown, firstUses: FirstUses) => boolean;

const tests = new Map<Intent, Test>();

/**
 * Tests if an operation of an intent names only settings not worth recording. Nearly all do, so the test is
 * built once for the intent's fields, and keeps no path.
 */
function namesNothingNew(intent: Intent): Test {
  const known = tests.get(intent);
  if (known !== undefined) return known;
  const fields = Object.entries(settingNames).filter(([field]) => field in payloads[intent].shape);
  const test = testOf(Object.fromEntries(fields));
  tests.set(intent, test);
  return test;
}

function testOf(name: SettingIntent | Names): Test {
  if (typeof name === "string")
    return (value, firstUses) => typeof value !== "string" || isSettled(firstUses[name], value);
  const members = Object.entries(name).map(([field, inner]) => ({ field, test: ofEach(testOf(inner)) }));
  return (value, firstUses) => {
    if (!isObject(value)) return true;
    for (const { field, test } of members) {
      const member = value[field];
      if (member !== undefined && !test(member, firstUses)) return false;
    }
    return true;
  };
}

const ofEach =
  (test: Test): Test =>
  (value, firstUses) => {
    if (!Array.isArray(value)) return test(value, firstUses);
    for (const one of value) if (!test(one, firstUses)) return false;
    return true;
  };

type Visit = (intent: SettingIntent, key: string, path: JsonPath) => void;

function visit(fields: Names, value: object, path: (string | number)[], found: Visit): void {
  for (const field in fields) {
    const member: unknown = Reflect.get(value, field);
    if (member !== undefined) visitMember(fields[field]!, member, [...path, field], found);
  }
}

function visitMember(
  name: SettingIntent | Names,
  member: unknown,
  path: (string | number)[],
  found: Visit,
): void {
  if (Array.isArray(member))
    for (const [i, one] of member.entries()) visitMember(name, one, [...path, i], found);
  else if (typeof name !== "string") {
    if (isObject(member)) visit(name, member, path, found);
  } else if (typeof member === "string") found(name, member, path);
}
