import { type Attack, many } from "../attack.ts";

const customer = (identifier: string, fields: object) => ({
  intent: "customer/upsert",
  identifier,
  ...fields,
});
const meta = (values: readonly string[]) => values.map((value, i) => ({ key: `k${i}`, value }));
const runs =
  (operations: () => Iterable<object>): Attack["run"] =>
  async ({ start, ended }) =>
    ended(await start(operations()));

/** Rounds within rounds: a few hundred bytes that take a long time, 6,000 times in one operation. */
const loops = `{{#each defaults}}${"{{#each @root.defaults}}".repeat(5)}${"{{/each}}".repeat(6)}`;

const product = (sku: string, fields: object) => ({
  ...{
    intent: "product/upsert",
    resourceIdentifier: sku,
    name: sku,
    language: "en",
    shapeIdentifier: "wide",
  },
  ...fields,
});
const wide = { intent: "shape/upsert", identifier: "wide", name: "Wide", type: "product" };
const nested =
  "{{#each (fetchItemByResourceIdentifier 'p')}}{{#each this}}{{#each this}}{{@key}}{{/each}}{{/each}}{{/each}}";

/** A text of some length that is all braces. */
const braces = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));

export const templateAttacks: Attack[] = [
  {
    name: "templates-that-loop",
    run: runs(() => [customer("loops", { meta: meta(many(6_000, () => loops)) })]),
  },
  {
    name: "templates-over-fetched-lists",
    run: runs(() => [
      wide,
      product("p", {
        variants: many(200, (i) => ({
          ...{ sku: `s-${i}`, name: "V", isDefault: i === 0 },
          attributes: many(20, (n) => ({ attribute: `a${n}`, value: "v" })),
        })),
      }),
      ...many(50, (i) => customer(`over-${i}`, { meta: meta(many(40, () => nested)) })),
    ]),
  },
  {
    name: "texts-that-double",
    run: runs(() => [
      customer("d-0", { firstName: "x".repeat(1_000) }),
      ...many(12, (i) => customer(`d-${i + 1}`, { firstName: fetched(`d-${i}`).repeat(2) })),
      ...many(1_000, (i) => customer(`e-${i}`, { firstName: fetched("d-12") })),
    ]),
  },
  {
    name: "texts-full-of-braces",
    run: runs(() =>
      [
        ...[
          braces("{{a}}", 10_000),
          braces("{{#if a}}{{/if}}", 10_000),
          braces("{{ (f (f (f a))) }}", 10_000),
        ],
        ...[
          braces("{{", 260_000),
          braces("\\{{", 260_000),
          braces("{{!", 260_000),
          braces("{{{{a}}}}", 260_000),
        ],
      ].flatMap((text, n) =>
        many(10, (i) =>
          customer(`braces-${n}-${i}`, {
            meta: meta(many(40, (k) => `${k}-${i} ${text.slice(0, 200_000)}`)),
          }),
        ),
      ),
    ),
  },
];

function fetched(identifier: string): string {
  return `{{ valueOf (fetchCustomerByIdentifier '${identifier}') 'firstName' }}`;
}
