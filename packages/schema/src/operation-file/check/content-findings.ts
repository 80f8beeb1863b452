import { contentSchema } from "../../components/component.ts";
import type { ComponentType } from "../../components/types.ts";
import { anyContent } from "../../content/compile.ts";
import type { Unrendered } from "../../content/walk.ts";
import type { Intent } from "../../intents.ts";
import { toPointer } from "../../problems/json-pointer.ts";
import type { Problem } from "../../problems/problem.ts";
import { plainScalars } from "../../scalars.ts";
import { normalForm, refused } from "../../schema-walk/normal-form.ts";
import { problemLimit } from "../../schema-walk/problems-in.ts";
import { hasTemplate, holdsTemplate } from "../../templates/is-template.ts";
import type { Finding } from "../report/issue.ts";
import {
  contentModel,
  type DefinitionPayload,
  define,
  forget,
  forgetAll,
  type RenamingPayload,
  rename,
} from "./content-model.ts";
import type { ContentVisit, FileContent } from "./content-visit.ts";
import { incompleteItems } from "./incomplete-items.ts";
import * as item from "./item-content.ts";
import { knownItems } from "./known-items.ts";
import type { References } from "./references.ts";

type Step = (visit: ContentVisit) => void;

/** The operations that write content, or depend on it being complete. */
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
type Does = "creates" | "changes" | "deletes" | "renames";

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
  "shape/component/rename": ["shape", "renames"],
  "piece/component/rename": ["piece", "renames"],
};

const suggestionsPerFile = 200;

export const fileContent = (): FileContent => ({
  model: contentModel(),
  items: knownItems(),
  suggestions: suggestionsPerFile,
  patterns: { spent: 0 },
  incomplete: incompleteItems(),
});

interface CheckedOperation {
  readonly intent: Intent;
  readonly index: number;
  readonly valid: boolean;
}

/**
 * Checks an operation's content against the shapes and pieces defined earlier in the file, and records those
 * it defines. Content of other shapes is not checked. Call it for all operations of a file in order, each
 * before its own name is defined.
 */
export function contentFindings(
  content: FileContent,
  operation: unknown,
  { intent, index, valid }: CheckedOperation,
  references: References,
): Finding[] {
  const definition = definitions[intent];
  if (definition !== undefined)
    return recordDefinition(content, definition, valid ? (operation as Definition) : undefined).map(warning);
  const step = steps[intent];
  if (step === undefined || !valid || content.model.shape.size === 0) return [];
  const problems: Problem[] = [];
  const payload = operation as ContentVisit["payload"];
  step({ content, references, ...checksOf(content, problems), index, payload });
  return problems.slice(0, problemLimit).map(warning);
}

type Definition = DefinitionPayload & RenamingPayload;

/** An invalid definition, and one whose identifier is a template, may be of any shape or piece. */
function recordDefinition(
  content: FileContent,
  [kind, does]: readonly [Kind, Does],
  definition: Definition | undefined,
): Problem[] {
  const { model } = content;
  let broken: Problem[] = [];
  content.incomplete = incompleteItems();
  if (definition === undefined || hasTemplate(definition.identifier)) forgetAll(model, kind);
  else if (does === "deletes") forget(model, kind, definition.identifier);
  else if (does === "renames") broken = rename(model, kind, definition);
  else broken = define(model, kind, does === "creates", definition);
  if (model.shape.size === 0) content.items = knownItems();
  return broken;
}

function checksOf(content: FileContent, problems: Problem[]): Pick<ContentVisit, "check" | "report"> {
  const options = {
    pieces: (identifier: string) => content.model.piece.get(identifier)?.components ?? anyContent,
    patterns: content.patterns,
    unrendered: { normal, advises: () => content.suggestions-- > 0 },
  };
  const report = (problem: Problem) => {
    // The time limit covers a whole file here, and a batch in execution.
    if (problem.code !== "PatternsTooSlow") problems.push(problem);
  };
  return {
    report,
    check: (rules, given, complete, path) => {
      if (problems.length >= problemLimit) return;
      const components = "componentId" in given ? [given] : given;
      for (const problem of rules.validate(components, { ...options, complete, path: [] }).errors)
        report({ ...problem, path: [...path, ...problem.path.slice(components === given ? 0 : 1)] });
    },
  };
}

/** Unknown fields are left out: they have warnings of their own. */
const normal: Unrendered["normal"] = (type: ComponentType, content) => {
  if (holdsTemplate(content)) return undefined;
  const schema = contentSchema(plainScalars, type);
  const form = normalForm(schema)(content);
  return form === refused ? schema.safeParse(content).data : form;
};

const warning = ({ code, message, path }: Problem): Finding => ({
  severity: "warning",
  code,
  message,
  pointer: toPointer(path),
});
