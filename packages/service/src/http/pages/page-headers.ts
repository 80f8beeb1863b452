/**
 * Makes the headers of a page or of a part of one. The policy lets it load nothing but what `sources` allow, never
 * from another host, and no other page can frame it. A part that may be kept has a `cache-control` of its own.
 */
export const pageHeaders = (sources: Readonly<Record<string, string>> = {}) => ({
  "content-security-policy": Object.entries({
    "default-src": "'none'",
    ...sources,
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  })
    .map(([directive, value]) => `${directive} ${value}`)
    .join("; "),
  // Asked for again each time, so that the page of an older version is not kept beside files of a newer one.
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
});
