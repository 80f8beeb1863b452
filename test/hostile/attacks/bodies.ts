import { type Attack, many, tally } from "../attack.ts";

const mebibyte = 1024 ** 2;
const upsert = `mutation ($input: UpsertCustomerInput!) { upsertCustomer(identifier: "c", input: $input) { ... on Customer { identifier } ... on BasicError { error } } }`;
const body = (variables: object, query = upsert) => JSON.stringify({ query, variables });

/** Bodies of almost 100,000 values or almost 8 MiB, which is as much as one may have, and some of more values. */
const bodies: Record<string, () => string> = {
  "many-small-objects": () => body({ input: { meta: many(24_000, (i) => ({ key: `${i}`, value: "" })) } }),
  "unknown-fields": () => body({ input: { ...Object.fromEntries(many(99_000, (i) => [`u${i}`, i])) } }),
  "one-long-text": () => body({ input: { firstName: "x".repeat(7.9 * mebibyte) } }),
  "lists-in-lists": () =>
    `{"query": ${JSON.stringify(upsert)}, "variables": {"input": ${"[[],".repeat(1_900_000)}[]${"]".repeat(1)}}}`,
  "empty-lists": () =>
    `{"query": ${JSON.stringify(upsert)}, "variables": {"input": [${"[],".repeat(2_600_000)}[]]}}`,
  "a-long-query": () => JSON.stringify({ query: `{ tenant { id } ${"#\n".repeat(2.5 * mebibyte)} }` }),
  "a-literal": () =>
    JSON.stringify({
      query: `mutation { upsertCustomer(identifier: "c", input: {firstName: "${"x".repeat(7.8 * mebibyte)}"}) { ... on Customer { identifier } ... on BasicError { error } } }`,
    }),
};

/** Objects in each other, as wide as they are deep. */
const richText = (depth: number, width: number): object =>
  depth === 0
    ? { kind: "inline", textContent: "x" }
    : { kind: "block", children: many(width, () => richText(depth - 1, width)) };

export const bodyAttacks: Attack[] = [
  ...Object.entries(bodies).map(
    ([name, make]): Attack => ({
      name: `body-of-${name}`,
      run: async ({ post, over }) => {
        const text = make();
        const answers: string[] = [];
        for (let round = 0; round < 3 && !over.aborted; round++)
          answers.push(
            ...(await Promise.all(many(4, () => post(text)))).map(
              ({ status, message }) => `${status} ${message}`,
            ),
          );
        return tally(answers);
      },
    }),
  ),
  {
    name: "rich-text-in-rich-text",
    run: async ({ start, ended }) =>
      ended(
        await start([
          {
            ...{ intent: "shape/upsert", identifier: "rich", name: "Rich", type: "document" },
            components: [{ id: "text", name: "Text", type: "richText" }],
          },
          ...many(6, (i) => ({
            ...{ intent: "document/upsert", resourceIdentifier: `rich-${i}`, name: "R", language: "en" },
            ...{ shapeIdentifier: "rich", tree: { parentId: "{{ defaults.rootItemId }}" } },
            components: [{ componentId: "text", richText: { json: many(1, () => richText(13, 2)) } }],
          })),
          ...many(6, (i) => ({
            ...{ intent: "document/upsert", resourceIdentifier: `html-${i}`, name: "R", language: "en" },
            ...{ shapeIdentifier: "rich", tree: { parentId: "{{ defaults.rootItemId }}" } },
            components: [{ componentId: "text", richText: { html: ["<p><b>".repeat(2 * mebibyte)] } }],
          })),
        ]),
      ),
  },
];
