import { queryOptions } from "@tanstack/react-query";
import { graphql, type ResultOf, type TadaDocumentNode } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";

const entryFields = graphql(`
  fragment Creation on AuditEntryConnection {
    edges { node { action actor accessTokenName } }
  }
`);

type Creations = Record<string, ResultOf<typeof entryFields>>;

/** Lists per query that the service answers without queuing it. */
const listsOfQuery = 20;

const creations = ["bulkTask.created", "bulkTask.retried", "bulkTask.undone"];

/** The name of who created each task, by task id, from the audit trail. It never changes. */
export const creatorQuery = (tenant: string, task: string) =>
  queryOptions({
    queryKey: ["creator", tenant, task],
    queryFn: () => creatorOf(tenant, task),
    staleTime: Number.POSITIVE_INFINITY,
  });

const waiting = new Map<string, { ids: string[]; answer: Promise<Map<string, string>> }>();

/** Batches the requests for creators made in the same tick. */
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
  // The number of lists varies, so the text is built here; each has its fragment's type.
  const document = text as unknown as TadaDocumentNode<Creations, Record<string, string>>;
  const answer = await request(tenant, document, Object.fromEntries(ids.map((id, i) => [`t${i}`, id])));
  return new Map(ids.map((id, i) => [id, nameIn(answer[`t${i}`])]));
}

function nameIn(entries: Creations[string] | undefined): string {
  const created = entries?.edges.map(({ node }) => node).find(({ action }) => creations.includes(action));
  return created?.accessTokenName ?? created?.actor ?? "–";
}
