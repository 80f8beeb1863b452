import { eachTemplate, hasTemplate } from "@lading/schema";
import { commandOf } from "../../commands/registry.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { KeyPart } from "../../storage/unit-of-work/mapped-collection.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import { prefetchFetched } from "../../template-helpers/index.ts";
import { Budget, peekText, type RenderScope } from "../../templates/index.ts";
import type { Batch } from "./batch.ts";
import type { PreparedOperation } from "./operation-source.ts";

/**
 * Cost limit of the templates that are read or rendered ahead, in steps and characters. Rows that the others name are
 * loaded when their operations ask for them.
 */
const stepsAhead = 100_000;

/** Loads the rows that operations are known to need. */
export const prefetch = (
  { execution, unit, scope, tenant }: Batch,
  operations: readonly PreparedOperation[],
): Promise<void> =>
  unit.prefetch((prefetch) => {
    const budget = new Budget(stepsAhead);
    const rendered = prefetchRendered(prefetch, scope, budget);
    for (const operation of operations) {
      commandOf(operation.intent).keys?.(operation.payload, rendered, tenant);
      prefetchFetchedBy(operation, { tenant, prefetch, budget });
      execution.images.prefetchImages(operation.index, prefetch);
    }
  });

type Follow = (row: object, prefetch: Prefetch) => void;

/**
 * Renders the keys that are declared, since they come from payloads as written. A template is rendered if everything it
 * refers to is known before the batch; a key that is not known yet is loaded when its operation asks for it.
 */
function prefetchRendered(prefetch: Prefetch, scope: RenderScope, budget: Budget): Prefetch {
  const follows = new Map<Follow, Follow>();
  const peeked = new Map<string, string>();
  const peek = (text: string): string | undefined => {
    const known = peeked.get(text) ?? peekText(text, scope, budget);
    if (known !== undefined) peeked.set(text, known);
    return known;
  };
  /** The same function for the same `follow`, so that it is still called once for a row. */
  const renderedFollow = (follow: Follow): Follow => {
    const known = follows.get(follow);
    if (known !== undefined) return known;
    const rendered: Follow = (row) => follow(row, wanted);
    follows.set(follow, rendered);
    return rendered;
  };
  const wanted: Prefetch = (collection, index, values, follow) => {
    const known: KeyPart[] = [];
    for (const value of values) {
      const rendered = typeof value === "string" && hasTemplate(value) ? peek(value) : value;
      if (rendered === undefined || rendered === null) return;
      known.push(rendered);
    }
    prefetch(collection, index, known, follow && (renderedFollow(follow as Follow) as typeof follow));
  };
  return wanted;
}

/** Declares the rows that the fetch helpers in the templates of an operation ask for. Hardly any operation has one. */
function prefetchFetchedBy(
  { text, payload }: PreparedOperation,
  { tenant, prefetch, budget }: { tenant: Tenant; prefetch: Prefetch; budget: Budget },
): void {
  if (!text.includes("fetch")) return;
  eachTemplate(payload, (template) => {
    if (!template.includes("fetch") || budget.left <= 0) return;
    budget.charge(template.length);
    prefetchFetched(template, tenant, prefetch);
  });
}
