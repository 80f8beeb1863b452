import { eachTemplate, parsingAllowance, TemplateSyntaxError, usesOf } from "@lading/schema";
import type { PreparedOperation } from "../execute/operation-source.ts";

/**
 * Returns the URLs that the templates of a payload upload, as far as they are spelled out. Templates with blocks are
 * skipped: it is not known yet which branch is rendered.
 */
export function literalUploads({ payload, text }: Pick<PreparedOperation, "payload" | "text">): string[] {
  const urls: string[] = [];
  const parsed = parsingAllowance(text.length);
  eachTemplate(payload, (template) => {
    if (template.includes("upload") && parsed(template)) urls.push(...urlsIn(template));
  });
  return urls;
}

function urlsIn(template: string): string[] {
  const { helpers, blocks } = usesIn(template);
  if (blocks.length > 0) return [];
  return helpers.flatMap(({ name, arguments: [url] }) =>
    name === "upload" && typeof url === "string" ? [url] : [],
  );
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
