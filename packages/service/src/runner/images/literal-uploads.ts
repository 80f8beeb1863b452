import {
  type CallUse,
  eachTemplate,
  parsingAllowance,
  TemplateSyntaxError,
  usesOf,
} from "@lading/schema/internal";
import { TemplateError } from "../../templates/scope.ts";
import type { PreparedOperation } from "../execute/operation-source.ts";
import { type ImageSource, uploadedBy } from "./image-source.ts";

/**
 * Returns what a payload's templates upload, as far as it is literal. Templates with blocks are skipped: which branch
 * will be rendered is unknown.
 */
export function literalUploads({
  payload,
  text,
}: Pick<PreparedOperation, "payload" | "text">): ImageSource[] {
  if (!text.includes("upload")) return [];
  const sources: ImageSource[] = [];
  const parsed = parsingAllowance(text.length);
  eachTemplate(payload, (template) => {
    if (template.includes("upload") && parsed(template)) sources.push(...sourcesIn(template));
  });
  return sources;
}

function sourcesIn(template: string): ImageSource[] {
  const { helpers, blocks } = usesIn(template);
  if (blocks.length > 0) return [];
  return helpers.flatMap(({ name, arguments: [url], named }) =>
    name === "upload" && typeof url === "string" ? (literalSource(url, named) ?? []) : [],
  );
}

/** The source with a URL; undefined if its digest is not a literal, or invalid: the operation fails. */
function literalSource(url: string, named: CallUse["named"]): ImageSource | undefined {
  if ("sha256" in named && typeof named.sha256 !== "string") return undefined;
  try {
    return uploadedBy([url], named).source;
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** The helper calls of a template; none if it doesn't parse: its operation fails when rendered. */
function usesIn(template: string): Pick<ReturnType<typeof usesOf>, "helpers" | "blocks"> {
  try {
    return usesOf(template);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return { helpers: [], blocks: [] };
    throw error;
  }
}
