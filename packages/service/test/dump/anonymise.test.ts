import { type Intent, intentNames, intents, nodeOf, payloads, unwrapSchema } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { anonymiser, fieldsOfIntent, personalIntents } from "../../src/domain/dump/anonymise/anonymise.ts";
import { personalFields } from "../../src/domain/dump/anonymise/personal-fields.ts";
import { openPseudonyms } from "../../src/domain/dump/anonymise/pseudonyms.ts";

const pseudonyms = openPseudonyms("signing-key")("tenant");

type Fields = ReturnType<typeof fieldsOfIntent>;

/** A payload with each field: "secret" where it is replaced, "open" where it is kept. */
function payloadOf(fields: Fields): Record<string, unknown> {
  const contentOf = ({ fields: inner, replace }: Fields extends ReadonlyMap<string, infer F> ? F : never) =>
    inner === undefined ? (replace === undefined ? "open" : "secret") : [payloadOf(inner)];
  const values = [...fields].map(([name, field]) => [name, contentOf(field)] as const);
  const type = fields.has("type") && { type: "customer" };
  // The name of a line of a cart is that of a product if the line has a SKU.
  const line = fields.has("subTotal") && { sku: "" };
  return { ...Object.fromEntries(values), ...type, ...line };
}

test.each(personalIntents)("each text of %s is replaced, or kept on purpose", (intent) => {
  const payload = payloadOf(fieldsOfIntent(intent));
  const { fields } = anonymiser(pseudonyms)({ intent, fields: payload });
  expect(JSON.stringify(fields)).not.toContain("secret");
  expect(JSON.stringify(fields)).toContain("open");
  expect(JSON.stringify(payload)).toContain(intent.startsWith("customer/group") ? "parents" : "secret");
});

test("each rule is for a text that a payload has", () => {
  const texts = new Set<string>();
  for (const intent of personalIntents)
    fieldsOfIntent(intent, (type, name) => {
      texts.add(`${type} ${name}`);
      return undefined;
    });
  const ruled = Object.entries(personalFields).flatMap(([type, fields]) =>
    Object.keys(fields).map((name) => `${type} ${name}`),
  );
  expect(ruled.sort()).toEqual([...texts].sort());
});

type Schema = (typeof payloads)[Intent];

function namesIn(schema: Schema, names = new Set<string>()): Set<string> {
  const { schema: inner } = unwrapSchema(schema);
  const node = nodeOf(inner);
  if (node.kind === "list") return namesIn(node.element as Schema, names);
  const type = inner.meta()?.id;
  if (node.kind !== "object" || (type !== undefined && names.has(type))) return names;
  if (type !== undefined) names.add(type);
  for (const [name, field] of Object.entries(node.fields)) namesIn(field as Schema, names.add(name));
  return names;
}

test("no other intent has customers, addresses or payments", () => {
  const subjects = new Set(personalIntents.map((intent) => intents[intent].subject));
  const personal = /^(Customer|Address|Payment|email|phone|birthDate|(first|last)Name|customerIdentifiers?)$/;
  const others = intentNames.filter((intent) => !subjects.has(intents[intent].subject));
  expect(
    others.filter((intent) =>
      namesIn(payloads[intent])
        .values()
        .some((name) => personal.test(name)),
    ),
  ).toEqual([]);
  expect(namesIn(payloads["order/upsert"])).toContain("Address");
});

test("a pseudonym has the format of the replaced text, and is equal only for equal texts", () => {
  const { email, identifier, phone, date, text } = pseudonyms;
  expect(email("ada@shop.example")).toMatch(/^[0-9a-f]{20}@example\.invalid$/);
  expect(identifier("ada@shop.example")).toBe(email("ada@shop.example"));
  expect(identifier("ada")).toMatch(/^customer-[0-9a-f]{20}$/);
  expect(phone("+47 22 22 22 22")).toMatch(/^\+999\d{10}$/);
  expect(date("1815-12-10")).toMatch(/^(19[4-9]|20)\d+-\d\d-\d\dT00:00:00\.000Z$/);
  expect(text("first", "Ada")).toBe(text("first", "Ada"));
  expect(text("first", "Ada")).not.toBe(text("first", "Eve"));
  expect(text("first", "Ada")).not.toBe(text("last", "Ada").replace("last", "first"));
});

test("pseudonyms of another tenant, or under another key, have nothing in common", () => {
  const names = [
    ["signing-key", "tenant"],
    ["signing-key", "other"],
    ["other-key", "tenant"],
  ] as const;
  const made = names.map(([key, tenant]) => openPseudonyms(key)(tenant).text("first", "Ada"));
  expect(new Set(made).size).toBe(3);
});

test("a field that no payload has is left out", () => {
  const { fields } = anonymiser(pseudonyms)({ intent: "customer/upsert", fields: { nickname: "Ada" } });
  expect(JSON.stringify(fields)).toBe("{}");
});
