const longestShownUrl = 500;

/** An image that could not be fetched: which, why, and what its host answered. */
export class ImageFetchFailure extends Error {
  override readonly name = "ImageFetchFailure";
  /** True when another try may succeed. */
  readonly passing: boolean;

  constructor(
    url: string,
    reason: string,
    { passing = false, cause }: { passing?: boolean; cause?: unknown } = {},
  ) {
    super(`The image ${shown(url)} could not be fetched: ${reason}`, { cause });
    this.passing = passing;
  }
}

/** A URL for people to read: no password, and not longer than a line or two. */
function shown(url: string): string {
  const safe = url.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/?#]*@/i, "$1…@");
  return safe.length > longestShownUrl ? `${safe.slice(0, longestShownUrl)}…` : safe;
}
