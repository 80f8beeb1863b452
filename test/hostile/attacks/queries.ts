import { type Attack, type Attacker, many, tally } from "../attack.ts";

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

/** Lists of a thousand customers, with `values` values of each. */
function wideQuery(lists: number, values: number): string {
  const fields = many(values, (i) => `a${i}: firstName`).join(" ");
  const asked = many(lists, (i) => `l${i}: customers(first: 1000) { ...L ... on BasicError { error } }`).join(
    " ",
  );
  return JSON.stringify({
    query: `{ ${asked} } fragment L on CustomerConnection { edges { node { ...F } } } fragment F on Customer { ${fields} }`,
  });
}

/** Sends bodies concurrently and reports the responses. */
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

/** Sends copies of a body concurrently, in up to `rounds` rounds until the attack is over. */
export const floods =
  (body: string, concurrent: number, rounds: number): Attack["run"] =>
  async (attacker) => {
    let said = "";
    for (let round = 0; round < rounds && !attacker.over.aborted; round++)
      said = await send(
        attacker,
        many(concurrent, () => body),
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

/** Documents of a folder, whose positions are read a page at a time. */
const siblings = 40_000;

/** Writes a folder of many documents; answers a query of the positions of its last page. */
async function positionsOfLastPage({ client, start, ended }: Attacker): Promise<string> {
  const shapes = ["document", "folder"].map((type) => ({
    intent: "shape/upsert",
    identifier: `plain-${type}`,
    components: [],
    name: "Plain",
    type,
  }));
  const folder = {
    intent: "folder/create",
    _ref: "folder",
    name: "F",
    language: "en",
    resourceIdentifier: "f",
    tree: { parentId: "{{ defaults.rootItemId }}" },
  };
  const documents = many(siblings, (i) => ({
    ...{ intent: "document/create", name: `D${i}`, language: "en", shapeIdentifier: "plain-document" },
    tree: { parentId: "{{ folder.id }}" },
  }));
  const state = await ended(
    await start([...shapes, { ...folder, shapeIdentifier: "plain-folder" }, ...documents]),
  );
  if (state !== "complete") throw new Error(`the documents were not written: ${state}`);
  const page = (selection: string) =>
    `query ($after: String) { folder(resourceIdentifier: "f", language: "en") { ... on BasicError { error }
       ... on Folder { children(first: 1000, after: $after) { ${selection} } } } }`;
  let after: string | null = null;
  for (let read = 0; read < siblings - 1_000; read += 1_000) {
    const answer: Children = await client.graphql(page("pageInfo { endCursor }"), { after });
    after = answer.folder.children.pageInfo.endCursor;
  }
  return query(page("edges { node { ... on Item { tree { position } } } }"), { after });
}

interface Children {
  folder: { children: { pageInfo: { endCursor: string } } };
}

/** An attack by 64 requests at a time, whose body is made when it is prepared. */
function flood(name: string, bodyOf: (attacker: Attacker) => Promise<string>): Attack {
  let body = "";
  return {
    name,
    async prepare(attacker) {
      body = await bodyOf(attacker);
    },
    run: (attacker) => floods(body, 64, 20)(attacker),
  };
}

/** Writes large documents twice; answers a query of what the second time changed. */
async function changesOfLargeDocuments({ start, ended }: Attacker): Promise<string> {
  const component = { id: "t", name: "T", type: "singleLine" };
  const shape = {
    intent: "shape/upsert",
    identifier: "large",
    name: "L",
    type: "document",
    components: [component],
  };
  const documents = (letter: string) =>
    many(60, (i) => ({
      ...{ intent: "document/upsert", resourceIdentifier: `large-${i}`, name: `L${i}`, language: "en" },
      ...{ shapeIdentifier: "large", tree: { parentId: "{{ defaults.rootItemId }}" } },
      components: [{ componentId: "t", singleLine: { text: letter.repeat(900_000) } }],
    }));
  await ended(await start([shape, ...documents("a")]));
  const task = await start(documents("b"));
  const state = await ended(task);
  if (state !== "complete") throw new Error(`the documents were not written: ${state}`);
  return query(
    `{ operationLogs(filter: {operationId: "${task}"}, first: 15) { edges { node { index changes { more } } } } }`,
  );
}

const lookups = query(
  `{ ${many(900, (i) => `a${i}: customer(identifier: "nobody-${i}") { ...C }`).join(" ")} }
   fragment C on CustomerResult { ... on Customer { identifier } ... on BasicError { error } }`,
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
  { name: "lookups-under-900-aliases", run: floods(lookups, 64, 20) },
  flood("positions-among-40000-documents", positionsOfLastPage),
  flood("changes-of-large-documents", changesOfLargeDocuments),
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
