import type { Helper, ReferenceValue } from "@lading/schema/internal";
import { renderText } from "../../../src/templates/render-text.ts";
import { type RenderScope, TemplateError } from "../../../src/templates/scope.ts";

export const folderId = "65a0000000000000000000f1";
export const productId = "65a0000000000000000000b2";

/** Results in the shapes of the reference result table: of creates, of updates, of a failure. */
const results: Record<string, ReferenceValue> = {
  folder: { index: 0, status: "success", output: { id: { value: folderId }, language: "en" } },
  product: { index: 1, status: "success", output: { id: productId, language: "en", versionLabel: "draft" } },
  updated: { index: 2, status: "success", output: { id: { id: productId, language: "en" } } },
  piece: { index: 3, status: "success", output: { id: { identifier: "banner" }, type: "piece", name: null } },
  broken: { index: 4, status: "failure" },
  half: { index: 5, status: "partial", output: { language: "en" } },
  shop: {
    index: 6,
    status: "success",
    output: {
      open: true,
      closed: false,
      seats: 0,
      tags: ["a", "b"],
      none: [],
      name: "Möbel & Co",
      prices: { en: 10, no: 12.5 },
    },
  },
};

interface ScopeParts {
  results?: Record<string, ReferenceValue>;
  defaults?: Record<string, unknown>;
  helpers?: Record<string, Helper>;
}

export function scopeOf(parts: ScopeParts = {}): RenderScope {
  const references = new Map(Object.entries(parts.results ?? results));
  return {
    lookup: (name) => references.get(name),
    names: () => references.keys(),
    defaults: parts.defaults ?? { rootItemId: folderId, languages: ["en", "no"], vatTypeIds: [productId] },
    helpers: parts.helpers ?? {},
  };
}

export function render(text: string, parts?: ScopeParts): string {
  return renderText(text, scopeOf(parts)) as string;
}

export function errorOf(text: string, parts?: ScopeParts): TemplateError {
  try {
    render(text, parts);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error(`${text} was rendered`);
}
