import { type Attack, type Attacker, many, tally } from "../attack.ts";

/** A thousand customers to read. */
const prepare = async ({ start, ended }: Attacker) => {
  const state = await ended(
    await start(
      many(1_000, (i) => ({
        intent: "customer/upsert",
        identifier: `c-${i}`,
        firstName: "Somebody",
        email: `c${i}@example.com`,
      })),
    ),
  );
  if (state !== "complete") throw new Error(`the customers were not written: ${state}`);
};

/** So many lists of a thousand customers, and of each so many values. */
function wideQuery(lists: number, values: number): string {
  const fields = many(values, (i) => `a${i}: firstName`).join(" ");
  const asked = many(lists, (i) => `l${i}: customers(first: 1000) { ...L ... on BasicError { error } }`).join(
    " ",
  );
  return JSON.stringify({
    query: `{ ${asked} } fragment L on CustomerConnection { edges { node { ...F } } } fragment F on Customer { ${fields} }`,
  });
}

/** Sends bodies at once and tells how they were answered. */
async function send({ post }: Attacker, bodies: readonly string[]): Promise<string> {
  return tally(
    await Promise.all(
      bodies.map((body) =>
        post(body).then(
          ({ status, bytes, message }) =>
            status === 200 ? `200 with ${Math.ceil(bytes / 1024 ** 2)} MiB` : `${status} ${message}`,
          (error: Error) => String(error.cause ?? error.message),
        ),
      ),
    ),
  );
}

/** Sends the same body so many times at once, again and again until the attack is over, at most so many rounds. */
export const floods =
  (body: string, atOnce: number, rounds: number): Attack["run"] =>
  async (attacker) => {
    let said = "";
    for (let round = 0; round < rounds && !attacker.over.aborted; round++)
      said = await send(
        attacker,
        many(atOnce, () => body),
      );
    return said;
  };

/** Selections that repeat the same fields, costly for a comparison of each with each. Executes without error. */
const repeatedFields = `{ ${many(800, (i) => `a${i}: tenant { ${"identifier ".repeat(18)} }`).join(" ")} }`;
const repeatedInOne = `{ tenant { ${"identifier ".repeat(19_000)} } }`;

/** Fragments that spread each other, each twice. */
function fragments(levels: number): string {
  const parts = many(levels, (i) => `fragment F${i} on Tenant { ...F${i + 1} ...F${i + 1} identifier }`);
  return `{ tenant { ...F0 } } ${parts.join(" ")} fragment F${levels} on Tenant { identifier }`;
}

/** Fragments that each spread all that come after. */
function spreadAll(count: number): string {
  const parts = many(count, (i) => {
    const later = many(count - i, (k) => `...F${i + k + 1}`).join(" ");
    return `fragment F${i} on Tenant { identifier ${later} }`;
  });
  return `{ tenant { ...F0 } } ${parts.join(" ")} fragment F${count} on Tenant { identifier }`;
}

const query = (text: string, variables?: object) => JSON.stringify({ query: text, variables });
const itemsOf = (filter: object) =>
  query(
    `query ($filter: ItemListFilter) { items(language: "en", first: 1000, filter: $filter) {
       ... on ItemConnection { totalCount edges { node { id name } } } ... on BasicError { error } } }`,
    { filter },
  );

export const queryAttacks: Attack[] = [
  { name: "query-of-2-lists-of-500-values", prepare, run: floods(wideQuery(2, 500), 1, 1) },
  { name: "query-of-60-lists-of-930-values", prepare, run: floods(wideQuery(60, 930), 1, 1) },
  { name: "three-such-queries-at-once", prepare, run: floods(wideQuery(60, 930), 3, 1) },
  {
    name: "queries-that-repeat-fields",
    run: (attacker) =>
      send(
        attacker,
        [repeatedFields, repeatedInOne].flatMap((text) => many(4, () => query(text))),
      ),
  },
  {
    name: "fragments-in-fragments",
    run: (attacker) => send(attacker, [query(fragments(1_200)), query(fragments(60)), query(spreadAll(110))]),
  },
  {
    name: "lists-of-keys",
    run: floods(itemsOf({ externalReferences: many(90_000, (i) => `external-${i}`) }), 6, 3),
  },
  {
    name: "filters-that-find-nothing",
    prepare,
    run: floods(
      query(
        `{ ${many(180, (i) => `c${i}: customers(first: 1, filter: {email: "nobody-${i}"}) { ... on CustomerConnection { totalCount edges { node { identifier } } } ... on BasicError { error } }`).join(" ")} }`,
      ),
      8,
      20,
    ),
  },
  {
    name: "publishing-by-ids",
    run: floods(
      query(`mutation ($ids: [ID!]!) { publishItems(ids: $ids, language: "en") { __typename } }`, {
        ids: many(90_000, (i) => i.toString(16).padStart(24, "0")),
      }),
      4,
      2,
    ),
  },
];
