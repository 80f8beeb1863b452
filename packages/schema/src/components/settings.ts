import { z } from "zod";
import type { Scalars } from "../scalars.ts";

export function commonSettings(s: Scalars) {
  return {
    multilingual: s.field(
      "True if each language has its own content, which is the default",
      s.boolean.optional(),
    ),
    required: s.field("True if an item cannot be published without content here", s.boolean.optional()),
    discoverable: s.field("True if the content may be searched by", s.boolean.optional()),
  };
}

/** A lower or upper limit: not negative; null for none. */
export const limit = (s: Scalars) => s.numberFrom(0).nullish();

/** The config of a component type whose content has a minimum and a maximum size, plus settings of its own. */
export function limitedConfig<E extends z.ZodRawShape>(s: Scalars, own: E) {
  return z
    .object({
      ...commonSettings(s),
      min: s.field("Minimum size of the content: characters, or entries of a list", limit(s)),
      max: s.field("Maximum size of the content: characters, or entries of a list", limit(s)),
      ...own,
    })
    .superRefine((config, context) => refuseCrossedLimits(config, [["min", "max"]], context));
}

/**
 * Refuses a lower limit above its upper one. Equal pairs end the comparison; limits that are templates are
 * compared only after rendering.
 */
export function refuseCrossedLimits(
  limits: Readonly<Record<string, unknown>>,
  pairs: readonly (readonly [string, string])[],
  context: z.RefinementCtx,
): void {
  for (const [lower, upper] of pairs) {
    const [low, high] = [limits[lower], limits[upper]];
    if (typeof low !== "number" || typeof high !== "number") continue;
    if (low === high) return;
    if (low > high) context.addIssue(crossed(lower, low, upper, high));
  }
}

function crossed(lower: string, low: number, upper: string, high: number) {
  const message = `"${lower}" is ${low}, above "${upper}", which is ${high}`;
  return { code: "custom" as const, path: [lower], message, params: { code: "OutOfRange" } };
}
