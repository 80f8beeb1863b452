import { globSync, readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { everyday, globalSetup, include, reporters } from "./vitest.config.ts";

const { tags, ...each } = everyday;
const shared = { ...each, exclude: configDefaults.exclude, testTimeout: 600_000, hookTimeout: 600_000 };
const file = (name: string) => `test/release/${name}.test.ts`;

/** Files of `npm test` that do more in a release: on PGlite, with more samples, or tests that have the tag. */
const more = globSync(include)
  .filter((path) => !path.startsWith("test/release/"))
  .filter((path) =>
    /\b(?:engines|historyEngines|serviceEngines|describeOnEngines|openApi|useApi|useItemsApi|inRelease|runs)\b|"release"|@module-tag/.test(
      readFileSync(path, "utf8"),
    ),
  );

/** Files that measure times: one after the other, at the end. */
const alone = ["embedding", "hostile", "large-answers"].map(file);

/** `npm run test:release`: what takes too long for `npm test`, or needs more than npm. */
export default defineConfig({
  test: {
    globalSetup: [...globalSetup, "test/support/vitest/build-console.ts"],
    reporters,
    projects: [
      {
        test: { ...shared, include: more, tags, name: "npm test", env: { LADING_TEST_RELEASE: "1" } },
      },
      {
        test: {
          ...shared,
          name: "side by side",
          include: ["test/release/**/*.test.ts"],
          exclude: [...shared.exclude, ...alone],
        },
      },
      {
        test: { ...shared, name: "alone", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
