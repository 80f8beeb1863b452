import { asSentence, didYouMean, oneOf, quoted } from "@lading/schema/internal";
import { identifiersOf } from "../../storage/queries/content-model.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

type Kind = "shape" | "piece";

/** Maximum number of identifiers a wrong one is compared with. */
const compared = 500;

/**
 * The message for a missing shape or piece. Suggests the nearest identifiers, else lists all. The tenant's identifiers
 * are read once per batch, and only when one is wrong.
 */
export async function unknownPart(unit: UnitOfWork, kind: Kind, identifier: string): Promise<string> {
  const known = identifiersIn(unit, kind);
  const names = known.get() ?? (await identifiersOf(unit, kind, compared));
  known.set(names);
  const others =
    names.length === 0 ? " There are none." : ` There ${names.length === 1 ? "is" : "are"} ${oneOf(names)}.`;
  return `There is no ${kind} ${quoted(identifier)}.${asSentence(didYouMean(identifier, names)) || others}`;
}

/** Call this when a shape or piece is created or deleted, so that later messages in the batch know. */
export function noteParts(unit: UnitOfWork, kind: Kind): void {
  identifiersIn(unit, kind).set(undefined);
}

const identifiersIn = (unit: UnitOfWork, kind: Kind) =>
  unit.memo<string[] | undefined>(`identifiers of ${kind}s`);
