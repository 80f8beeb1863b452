/**
 * Whether npm installed the optional package for this platform; otherwise images are served as they are. For the
 * condition of a test.
 */
export const hasSharp = await import("sharp").then(
  () => true,
  () => false,
);
