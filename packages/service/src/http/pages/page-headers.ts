/**
 * Makes the headers of a page or of a part of one. The policy lets it load nothing but what `sources` allow, never
 * from another host, and no other page can frame it.
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
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
});
