const longestShownUrl = 500;

/** An image could not be fetched: its URL, the reason, and its host's response. */
export class ImageFetchFailure extends Error {
  override readonly name = "ImageFetchFailure";
  /** True when another try may succeed. */
  readonly passing: boolean;

  constructor(
    url: string,
    reason: string,
    { passing = false, cause }: { passing?: boolean; cause?: unknown } = {},
  ) {
    super(`The image ${readable(url)} could not be fetched: ${reason}`, { cause });
    this.passing = passing;
  }
}

/** Shortens a URL for a message, and removes its password. */
function readable(url: string): string {
  const safe = url.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/?#]*@/i, "$1…@");
  return safe.length > longestShownUrl ? `${safe.slice(0, longestShownUrl)}…` : safe;
}
