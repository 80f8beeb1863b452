import { eachTemplate, hasTemplate } from "@lading/schema";
import { commands } from "../commands/registry.ts";
import type { KeyPart } from "../storage/mapped-collection.ts";
import type { UnitOfWork, Want } from "../storage/unit-of-work.ts";
import { peekText, type RenderScope, wantFetched } from "../templates/index.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { PreparedOperation } from "./operation-source.ts";
import type { TaskImages } from "./task-images.ts";

interface PrefetchParts {
  readonly unit: UnitOfWork;
  readonly scope: RenderScope;
  readonly tenant: Tenant;
  readonly images: TaskImages;
}

/** Loads the rows that operations are known to need. */
export const prefetch = (
  { unit, scope, tenant, images }: PrefetchParts,
  operations: readonly PreparedOperation[],
): Promise<void> =>
  unit.prefetch((want) => {
    const rendered = wantRendered(want, scope);
    for (const operation of operations) {
      commands[operation.intent].keys?.(operation.payload as never, rendered, tenant);
      wantFetchedBy(operation, tenant, want);
      images.wantImages(operation.index, want);
    }
  });

type Follow = (row: object, want: Want) => void;

/**
 * Keys are declared from payloads as written. One that is a template is rendered here if what it refers to is known
 * before the batch; a key that cannot be known yet is left to be loaded when its operation asks for it.
 */
function wantRendered(want: Want, scope: RenderScope): Want {
  const follows = new Map<Follow, Follow>();
  const peeked = new Map<string, string>();
  const peek = (text: string): string | undefined => {
    const known = peeked.get(text) ?? peekText(text, scope);
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
  const wanted: Want = (collection, index, values, follow) => {
    const known: KeyPart[] = [];
    for (const value of values) {
      const rendered = typeof value === "string" && hasTemplate(value) ? peek(value) : value;
      if (rendered === undefined || rendered === null) return;
      known.push(rendered);
    }
    want(collection, index, known, follow && (renderedFollow(follow as Follow) as typeof follow));
  };
  return wanted;
}

/** Declares what the fetch helpers in the templates of an operation will ask for. Nearly no operation has any. */
function wantFetchedBy({ text, payload }: PreparedOperation, tenant: Tenant, want: Want): void {
  if (text.includes("fetch")) eachTemplate(payload, (template) => wantFetched(template, tenant, want));
}
