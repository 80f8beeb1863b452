import {
  type ComponentDefinition,
  normalDefinition,
  type WrittenDefinition,
} from "../components/component.ts";
import { fileScalars } from "../scalars.ts";
import { hasTemplate } from "../templates/is-template.ts";

/** The components of a shape or piece, as far as they are known before templates are rendered. */
export interface ContentRules {
  readonly byId: ReadonlyMap<string, ContentRule>;
  readonly required: readonly ContentRule[];
  /** An estimate of the memory that they take, in bytes. */
  readonly size: number;
}

/** The requirements of one component for its content. */
export interface ContentRule extends Pick<ComponentDefinition, "id" | "type"> {
  readonly required: boolean;
  /** False when all languages share one content. */
  readonly multilingual: boolean;
  /** The components of a chunk, or the choices; undefined when they are not known. */
  readonly inside?: ContentRules;
  /** The identifier of the piece. */
  readonly piece?: string;
}

/** Estimated bytes of a rule and its entry in the map, without its texts. */
const ruleSize = 250;

/** The rules of a list of valid definitions; undefined if an id or a type has a template. */
export function contentRules(definitions: readonly WrittenDefinition[]): ContentRules | undefined {
  const byId = new Map<string, ContentRule>();
  let size = 0;
  for (const written of definitions) {
    if (hasTemplate(written.id) || hasTemplate(written.type)) return undefined;
    const rule = ruleOf(normalDefinition(fileScalars, written, []));
    byId.set(rule.id, rule);
    size += ruleSize + 2 * (rule.id.length + (rule.piece?.length ?? 0)) + (rule.inside?.size ?? 0);
  }
  return { byId, required: [...byId.values()].filter(({ required }) => required), size };
}

function ruleOf({ id, type, config = {} }: ComponentDefinition): ContentRule {
  const settings = config[type];
  const { contentChunk, componentChoice, componentMultipleChoice, piece } = config;
  const list =
    (type === "contentChunk" && contentChunk?.components) ||
    (type === "componentChoice" && componentChoice?.choices) ||
    (type === "componentMultipleChoice" && componentMultipleChoice?.choices);
  return {
    id,
    type,
    required: settings?.required === true,
    multilingual: settings?.multilingual !== false,
    ...(list && { inside: contentRules(list) }),
    ...(type === "piece" && piece && { piece: piece.identifier }),
  };
}
