/**
 * Makes the headers of a page or of a part of one. The policy only allows loading from `sources`, never from another
 * host, and no page can frame it. A cacheable part has its own `cache-control`.
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
  // Revalidated each time, so that an older page is not used with newer files.
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
});
