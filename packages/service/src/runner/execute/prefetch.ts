import { eachTemplate, hasTemplate, type ReferenceValue } from "@lading/schema/internal";
import { commandOf } from "../../commands/registry.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { KeyPart } from "../../storage/unit-of-work/collection.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import { helpersInMemory, mayFetch, prefetchFetched } from "../../template-helpers/index.ts";
import { Budget } from "../../templates/budget.ts";
import { peekText } from "../../templates/render-text.ts";
import type { RenderScope } from "../../templates/scope.ts";
import type { Batch } from "./batch.ts";
import { type PreparedOperation, withOwnResults } from "./operation-source.ts";

/** Cost limit of templates parsed or rendered ahead, in steps and characters. Other rows are loaded on demand. */
const stepsAhead = 100_000;

/** Loads the rows that operations are known to need: those for `idOf` first, since keys are built from them. */
export async function prefetchOperations(
  { execution, unit, scope, tenant }: Batch,
  operations: readonly PreparedOperation[],
): Promise<void> {
  const budget = new Budget(stepsAhead);
  const isLeading = ({ text }: PreparedOperation) => text.includes("idOf");
  const leading = operations.filter(isLeading);
  if (leading.length > 0)
    await unit.prefetch((prefetch) => {
      for (const { payload } of leading) prefetchFetchedBy(payload, { tenant, prefetch, budget });
    });
  const ahead = scopeAhead({ ...scope, helpers: helpersInMemory({ unit, tenant }) });
  await unit.prefetch((prefetch) => {
    const prefetchRendered = renderingPrefetch(prefetch, ahead.scope, budget);
    for (const operation of operations) {
      const own = withOwnResults(ahead.scope, operation);
      const rendered = own === ahead.scope ? prefetchRendered : renderingPrefetch(prefetch, own, budget);
      commandOf(operation.intent).keys?.(operation.payload, rendered, tenant);
      ahead.note(operation);
      if (mayFetch(operation.text) && !isLeading(operation))
        prefetchFetchedBy(operation.payload, { tenant, prefetch, budget });
    }
    execution.images.prefetchImages(operations, prefetch);
  });
}

/** A scope in which operations that name their item by id already have this id as their result. */
function scopeAhead(scope: RenderScope): { scope: RenderScope; note(operation: PreparedOperation): void } {
  const results = new Map<string, ReferenceValue>();
  return {
    scope: { ...scope, lookup: (name) => results.get(name) ?? scope.lookup(name) },
    note({ index, ref, payload }) {
      if (ref === null) return;
      const id = "itemId" in payload ? payload.itemId : undefined;
      if (typeof id === "string" && !hasTemplate(id))
        results.set(ref, { index, status: "success", output: { id } });
      else results.delete(ref);
    },
  };
}

type Follow<Row> = (row: Row, prefetch: Prefetch) => void;

/** Maps each function that follows rows to one that follows the same rows. */
interface FollowMap {
  get<Row>(follow: Follow<Row>): Follow<Row> | undefined;
  set<Row>(follow: Follow<Row>, rendering: Follow<Row>): void;
}

/**
 * Renders declared keys, since they come from unrendered payloads. A template is rendered if everything it refers to is
 * known before the batch; other keys are loaded on demand.
 */
function renderingPrefetch(prefetch: Prefetch, scope: RenderScope, budget: Budget): Prefetch {
  const follows: FollowMap = new Map();
  const texts = new Map<string, string>();
  const peek = (template: string): string | undefined => {
    const text = texts.get(template) ?? peekText(template, scope, budget);
    if (text !== undefined) texts.set(template, text);
    return text;
  };
  /** One function per `follow`, so that it is still called once per row. */
  const rendering = <Row>(follow: Follow<Row>): Follow<Row> => {
    const earlier = follows.get(follow);
    if (earlier !== undefined) return earlier;
    const rendered: Follow<Row> = (row) => follow(row, prefetchRendered);
    follows.set(follow, rendered);
    return rendered;
  };
  const prefetchRendered: Prefetch = (collection, index, values, follow) => {
    const key = values.some(isTemplate)
      ? values.map((part) => (isTemplate(part) ? peek(part) : part))
      : values;
    if (key.includes(undefined) || key.includes(null)) return;
    prefetch(collection, index, key, follow && rendering(follow));
  };
  return prefetchRendered;
}

const isTemplate = (part: KeyPart): part is string => typeof part === "string" && hasTemplate(part);

/** Declares the rows that the fetch helpers in an operation's templates read. */
function prefetchFetchedBy(
  payload: PreparedOperation["payload"],
  { tenant, prefetch, budget }: { tenant: Tenant; prefetch: Prefetch; budget: Budget },
): void {
  eachTemplate(payload, (template) => {
    if (!mayFetch(template) || budget.left <= 0) return;
    budget.charge(template.length);
    prefetchFetched(template, tenant, prefetch);
  });
}
