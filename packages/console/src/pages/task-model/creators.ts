import { queryOptions } from "@tanstack/react-query";
import { graphql, type ResultOf, type TadaDocumentNode } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";

const entryFields = graphql(`
  fragment Creation on AuditEntryConnection {
    edges { node { action actor accessTokenName } }
  }
`);

type Creations = Record<string, ResultOf<typeof entryFields>>;

/** Lists of one query that the service answers without making it wait for others. */
const listsOfQuery = 20;

const creations = ["bulkTask.created", "bulkTask.retried", "bulkTask.undone"];

/** The name of who created each task, by the task's id, as the audit trail has it. It never changes. */
export const creatorQuery = (tenant: string, task: string) =>
  queryOptions({
    queryKey: ["creator", tenant, task],
    queryFn: () => creatorOf(tenant, task),
    staleTime: Number.POSITIVE_INFINITY,
  });

const waiting = new Map<string, { ids: string[]; answer: Promise<Map<string, string>> }>();

/** Asks for the creators of all tasks together that are asked for at the same moment. */
async function creatorOf(tenant: string, task: string): Promise<string> {
  let batch = waiting.get(tenant);
  if (batch === undefined || batch.ids.length === listsOfQuery) {
    const ids: string[] = [];
    const answer = new Promise((resolve) => setTimeout(resolve, 5)).then(() => {
      if (waiting.get(tenant)?.ids === ids) waiting.delete(tenant);
      return readCreators(tenant, ids);
    });
    batch = { ids, answer };
    waiting.set(tenant, batch);
  }
  batch.ids.push(task);
  return (await batch.answer).get(task) ?? "–";
}

async function readCreators(tenant: string, ids: readonly string[]): Promise<Map<string, string>> {
  const lists = ids.map(
    (_, i) => `t${i}: auditTrail(filter: { subjectId: $t${i} }, first: 100) { ...Creation }`,
  );
  const parameters = ids.map((_, i) => `$t${i}: ID!`).join(", ");
  const text = `query Creators(${parameters}) { ${lists.join(" ")} }\n${entryFields}`;
  // The number of lists differs, so the text is made here; each has the type of its fragment.
  const document = text as unknown as TadaDocumentNode<Creations, Record<string, string>>;
  const answer = await request(tenant, document, Object.fromEntries(ids.map((id, i) => [`t${i}`, id])));
  return new Map(ids.map((id, i) => [id, nameIn(answer[`t${i}`])]));
}

function nameIn(entries: Creations[string] | undefined): string {
  const created = entries?.edges.map(({ node }) => node).find(({ action }) => creations.includes(action));
  return created?.accessTokenName ?? created?.actor ?? "–";
}
