/** Tells whether this is `npm run test:release`, which runs the suites of `npm test` again. */
export const inRelease = process.env.LADING_TEST_RELEASE === "1";

export const tenth = (inReleases: number) => Math.ceil(inReleases / 10);

/** The `numRuns` of a property test: a tenth in `npm test`. */
export const runs = (inReleases: number) => (inRelease ? inReleases : tenth(inReleases));
