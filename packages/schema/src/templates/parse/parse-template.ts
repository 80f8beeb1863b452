import { type AST, parse } from "@handlebars/parser";
import { parsePaths } from "./plain-path.ts";
import { explainParserError, TemplateSyntaxError } from "./syntax-error.ts";
import type { Program } from "./syntax-tree.ts";
import { objectionToExtent } from "./template-extent.ts";

/**
 * Parses a Handlebars template.
 *
 * @throws TemplateSyntaxError when it does not parse, or is longer or nested deeper than templates may be.
 */
export function parseTemplate(text: string): Program {
  const objection = objectionToExtent(text);
  if (objection !== undefined) throw new TemplateSyntaxError(`the template ${objection}`, 1, 1);
  const paths = parsePaths(text);
  if (paths !== undefined) return paths;
  let program: AST.Program;
  try {
    program = parse(text);
  } catch (error) {
    throw error instanceof Error ? explainParserError(text, error) : error;
  }
  // The parser types its statements and expressions as bare nodes; the tree's own types distinguish them.
  return program as unknown as Program;
}
