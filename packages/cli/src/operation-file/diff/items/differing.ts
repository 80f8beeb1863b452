import { type Omission, omissionPlace } from "../../../service/dump-lines.ts";
import type { Changes } from "../changes.ts";

/** Finds what a report says of shared content in which languages differ: nothing else in it has a component. */
const differingIn = (omissions: readonly Omission[]) =>
  omissions.filter(({ component }) => component !== undefined);

/** Names content of a tenant whose languages differ although they share it: its dump has one of them for all. */
export function noteDiffering(omissions: readonly Omission[], changes: Changes): void {
  const what = "content that languages share and differ in until it is written";
  for (const omission of differingIn(omissions)) {
    const { count, examples } = omission;
    changes.remain({ what: `${what}${omissionPlace(omission)}`, count, names: [...examples] });
  }
}

/** Tells which items may have such content: a report names a few of them, and counts the others of their shape. */
export function mayDiffer(omissions: readonly Omission[]): (item: { id: string; shape: string }) => boolean {
  const differing = differingIn(omissions);
  return ({ id, shape }) =>
    differing.some(
      ({ count, examples, shape: own }) =>
        examples.includes(id) || (count > examples.length && own === shape),
    );
}
