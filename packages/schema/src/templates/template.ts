import { analyse, type TemplateUses, usesOfPlainPath } from "./analyse/analyse.ts";
import { compilePlainPath, compileProgram } from "./evaluate/compile.ts";
import type { Renderer } from "./evaluate/run.ts";
import { parseTemplate } from "./parse/parse-template.ts";
import { plainPath } from "./parse/plain-path.ts";
import type { Program } from "./parse/syntax-tree.ts";

/** A template's parts, each made on demand. */
interface Template {
  readonly text: string;
  /** Its names, if it is only a path, which is not parsed. */
  readonly path: readonly string[] | undefined;
  program?: Program;
  uses?: TemplateUses;
  renderer?: Renderer;
}

/** The limits of the cache. A template takes up to about 300 bytes per UTF-16 unit of its text. */
const cacheLimits = { templates: 2_000, length: 131_072 };
const cache = new Map<string, Template>();
/** UTF-16 units of all templates in the cache. */
let cachedLength = 0;

/**
 * Caches templates, because files repeat them, and clears the cache when it is full: that is cheaper than evicting the
 * oldest one each time, and frequent templates soon return. Evicting would not help a file that cycles through more
 * templates than fit either: the oldest is the next one it needs.
 */
function templateOf(text: string): Template {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const template: Template = { text, path: plainPath(text) };
  if (text.length <= cacheLimits.length) addToCache(template);
  return template;
}

function addToCache(template: Template): void {
  const { length } = template.text;
  if (cache.size >= cacheLimits.templates || cachedLength + length > cacheLimits.length) {
    cache.clear();
    cachedLength = 0;
  }
  cache.set(template.text, template);
  cachedLength += length;
}

/** Parsed once, although a template is analysed and compiled at different times. */
function programOf(template: Template): Program {
  template.program ??= parseTemplate(template.text);
  return template.program;
}

/** True if a template must be parsed before it can be analysed or rendered. */
export function needsParsing(text: string): boolean {
  const { path, program } = templateOf(text);
  return path === undefined && program === undefined;
}

/**
 * Everything a template uses.
 *
 * @throws TemplateSyntaxError when it does not parse
 */
export function usesOf(text: string): TemplateUses {
  // Not cached: a file may have a million of these, and caching costs more than parsing.
  const path = plainPath(text);
  if (path !== undefined) return usesOfPlainPath(text, path);
  const template = templateOf(text);
  template.uses ??= analyse(programOf(template));
  return template.uses;
}

/**
 * A template as a function that renders it.
 *
 * @throws TemplateSyntaxError when it does not parse, and `Failure` when it refers to something that does not exist
 */
export function rendererOf(text: string): Renderer {
  const template = templateOf(text);
  const { path } = template;
  template.renderer ??= path === undefined ? compileProgram(programOf(template)) : compilePlainPath(path);
  return template.renderer;
}
