/** No misspelling of a name is longer; without a bound, a hostile name would cost its length times theirs. */
const longest = 200;

/**
 * The candidates a misspelt name most likely means, best first, for "did you mean". A candidate counts if at
 * most a third of its letters (at least two, but not all) must be changed, added, dropped or swapped with a
 * neighbour. If none does, those count that begin with the name.
 */
export function nearest(name: string, candidates: Iterable<string>, max = 3): string[] {
  if (name.length > longest) return [];
  const wanted = name.toLowerCase();
  const all = [...candidates];
  const near = all
    .filter((candidate) => Math.abs(candidate.length - name.length) <= allowed(candidate))
    .map((candidate) => ({ candidate, distance: distanceBetween(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= allowed(candidate))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, max)
    .map(({ candidate }) => candidate);
  return near.length > 0 || name.length < shortestBeginning ? near : longer(all, wanted).slice(0, max);
}

/** Fewer letters begin too many names. */
const shortestBeginning = 4;

const longer = (candidates: readonly string[], wanted: string): string[] =>
  candidates.filter((candidate) => candidate.toLowerCase().startsWith(wanted));

const allowed = ({ length }: string) => Math.min(Math.max(2, length / 3), length - 1);

/** Damerau-Levenshtein distance in its restricted form: no letter takes part in two changes. */
function distanceBetween(a: string, b: string): number {
  let twoBack: number[] = [];
  let oneBack = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = oneBack[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(oneBack[j]! + 1, row[j - 1]! + 1, substitution);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j]!, twoBack[j - 2]! + 1);
    }
    [twoBack, oneBack] = [oneBack, row];
  }
  return oneBack[b.length]!;
}
