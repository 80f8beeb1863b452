import { advisedProblems } from "../../content/problems.ts";
import type { Intent } from "../../intents.ts";
import { toPointer } from "../../problems/json-pointer.ts";
import type { Problem } from "../../problems/problem.ts";
import { problemLimit } from "../../schema-walk/problems-in.ts";
import { hasTemplate } from "../../templates/is-template.ts";
import type { Finding } from "../report/finding.ts";
import type { IssueCode } from "../report/issue.ts";
import { contentModel, type DefinitionPayload, define, forget, forgetAll } from "./content-model.ts";
import type { ContentVisit, FileContent } from "./content-visit.ts";
import { incompleteItems } from "./incomplete-items.ts";
import * as item from "./item-content.ts";
import { knownItems } from "./known-items.ts";
import type { References } from "./references.ts";

type Step = (visit: ContentVisit) => void;

/** The operations that write content, or that depend on content being complete. */
const steps: { readonly [I in Intent]?: Step } = {
  ...itemSteps("folder"),
  ...itemSteps("document"),
  ...itemSteps("product"),
  "product/variant/create": item.createVariant,
  "product/variant/update": item.updateVariant,
  "product/variant/upsert": item.upsertVariant,
  "product/variant/delete": () => {},
  "item/updateComponent/item": item.updateItemComponent,
  "item/updateComponent/sku": item.updateSkuComponent,
  "item/publish": item.publishItem,
};

function itemSteps(kind: "folder" | "document" | "product") {
  return {
    [`${kind}/create`]: item.createItem,
    [`${kind}/update`]: item.updateItem,
    [`${kind}/upsert`]: item.upsertItem,
  };
}

type Kind = "shape" | "piece";
type Does = "creates" | "changes" | "deletes";

/** The operations that define shapes and pieces; an upsert counts as a change. */
const definitions: { readonly [I in Intent]?: readonly [kind: Kind, does: Does] } = {
  "shape/create": ["shape", "creates"],
  "shape/update": ["shape", "changes"],
  "shape/upsert": ["shape", "changes"],
  "shape/delete": ["shape", "deletes"],
  "piece/create": ["piece", "creates"],
  "piece/update": ["piece", "changes"],
  "piece/upsert": ["piece", "changes"],
  "piece/delete": ["piece", "deletes"],
};

const suggestionsPerFile = 200;

export const fileContent = (): FileContent => ({
  model: contentModel(),
  items: knownItems(),
  suggestions: suggestionsPerFile,
  incomplete: incompleteItems(),
});

/** An operation of a known intent. */
interface CheckedOperation {
  readonly intent: Intent;
  readonly index: number;
  readonly valid: boolean;
}

/**
 * Checks the content of an operation against the shapes and pieces that the file has defined before it, and records
 * those that it defines itself. Content of other shapes is not checked. To be called for all operations of a file in
 * their order, each before its own name is defined.
 */
export function contentFindings(
  content: FileContent,
  operation: unknown,
  { intent, index, valid }: CheckedOperation,
  references: References,
): Finding[] {
  const definition = definitions[intent];
  if (definition !== undefined) {
    recordDefinition(content, definition, valid ? (operation as DefinitionPayload) : undefined);
    return [];
  }
  const step = steps[intent];
  if (step === undefined || content.model.shape.size === 0) return [];
  const findings: Finding[] = [];
  const payload = operation as ContentVisit["payload"];
  if (valid) step({ content, references, check: checkOf(content, findings), index, payload });
  return findings;
}

/** An invalid definition, and one whose identifier is a template, may be of any shape or piece. */
function recordDefinition(
  content: FileContent,
  [kind, does]: readonly [Kind, Does],
  definition: DefinitionPayload | undefined,
): void {
  const { model } = content;
  content.incomplete = incompleteItems();
  if (definition === undefined || hasTemplate(definition.identifier)) forgetAll(model, kind);
  else if (does === "deletes") forget(model, kind, definition.identifier);
  else define(model, kind, does === "creates", definition);
  if (model.shape.size === 0) content.items = knownItems();
}

function checkOf(content: FileContent, findings: Finding[]): ContentVisit["check"] {
  return {
    pieces: (identifier) => content.model.piece.get(identifier)?.components,
    isFull: () => findings.length >= problemLimit,
    advises: () => findings.length < advisedProblems && content.suggestions-- > 0,
    report: ({ code, message }, path) => {
      if (findings.length < problemLimit) findings.push(warning(code, message, path));
    },
  };
}

const warning = (code: IssueCode | (string & {}), message: string, path: Problem["path"]): Finding => ({
  severity: "warning",
  code,
  message,
  pointer: toPointer(path),
});
