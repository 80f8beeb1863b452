const longestShownUrl = 500;

/** An image that could not be fetched: its URL, the reason, and the host's response. */
export class ImageFetchFailure extends Error {
  override readonly name = "ImageFetchFailure";
  /** True when a retry may succeed. */
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
