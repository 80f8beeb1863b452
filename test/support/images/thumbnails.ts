/** True when npm installed the optional package for this platform; without it there are no thumbnails. */
export const hasSharp = await import("sharp").then(
  () => true,
  () => false,
);
