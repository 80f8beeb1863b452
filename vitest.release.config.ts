import { globSync, readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { everyday, globalSetup, include, reporters } from "./vitest.config.ts";

const { tags, ...each } = everyday;
const shared = { ...each, exclude: configDefaults.exclude, testTimeout: 600_000, hookTimeout: 600_000 };
const everydayAgain = { ...shared, tags, env: { LADING_TEST_RELEASE: "1" } };
const file = (name: string) => `test/release/${name}.test.ts`;

const everydayFiles = globSync(include)
  .filter((path) => !path.startsWith("test/release/"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** Files of `npm test` that do more in a release: on PGlite, or with more samples. */
const again = everydayFiles
  .filter(({ text }) =>
    /\b(?:engines|historyEngines|serviceEngines|describeOnEngines|openApi|useApi|useItemsApi|inRelease|runs)\b/.test(
      text,
    ),
  )
  .map(({ path }) => path);

/** Other files of `npm test`, of which only the tests with the tag run in a release. */
const tagged = everydayFiles
  .filter(({ path, text }) => !again.includes(path) && /"release"|@module-tag/.test(text))
  .map(({ path }) => path);

/** Files that measure times: one after the other, at the end. */
const alone = ["embedding", "hostile", "large-answers"].map(file);

/** `npm run test:release`: what takes too long for `npm test`, or needs more than npm. */
export default defineConfig({
  test: {
    globalSetup: [...globalSetup, "test/support/vitest/build-console.ts"],
    reporters,
    projects: [
      {
        test: { ...everydayAgain, include: again, name: "npm test" },
      },
      {
        test: { ...everydayAgain, include: tagged, name: "tagged", ...{ tagsFilter: ["release"] } },
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
