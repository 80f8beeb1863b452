/** Supported major versions of PostgreSQL, with their newest minor version as of 2026-11-26. */
const newestMinors: ReadonlyMap<number, number> = new Map([
  [15, 20],
  [16, 16],
  [17, 12],
  [18, 6],
]);

/** For messages: `15 to 18`. */
export const supportedMajors = `${Math.min(...newestMinors.keys())} to ${Math.max(...newestMinors.keys())}`;

/** The major version of `18.4`: 18. */
export const majorOf = (version: string): number => Number.parseInt(version, 10);

export const isSupported = (version: string): boolean => newestMinors.has(majorOf(version));

/** The newest known release of the same major version; undefined if the given one is as new. */
export function newerMinor(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const newest = newestMinors.get(major) ?? 0;
  return minor < newest ? `${major}.${newest}` : undefined;
}
