import { type CallUse, eachTemplate, parsingAllowance, TemplateSyntaxError, usesOf } from "@lading/schema";
import { TemplateError } from "../../templates/index.ts";
import type { PreparedOperation } from "../execute/operation-source.ts";
import { type ImageSource, uploadedBy } from "./image-source.ts";

/**
 * Returns what the templates of a payload upload, as far as it is spelled out. Templates with blocks are skipped: it is
 * not known yet which branch is rendered.
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

/** The source with a URL; undefined where its digest is not a literal, or wrong: the operation fails. */
function literalSource(url: string, named: CallUse["named"]): ImageSource | undefined {
  if ("sha256" in named && typeof named.sha256 !== "string") return undefined;
  try {
    return uploadedBy([url], named).source;
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** A template that does not parse uses nothing; its operation fails when it is rendered. */
function usesIn(template: string): Pick<ReturnType<typeof usesOf>, "helpers" | "blocks"> {
  try {
    return usesOf(template);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return { helpers: [], blocks: [] };
    throw error;
  }
}
