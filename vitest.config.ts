import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

export const globalSetup = ["test/support/vitest/global-setup.ts"];
export const reporters = ["default", "./test/support/vitest/tally-reporter.ts"];
export const include = ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"];

/** Options of the tests that run in Node. */
export const everyday = {
  setupFiles: ["test/support/vitest/umask.ts"],
  // Three for two cores: tests wait for their database, which is another process, two fifths of the time.
  maxWorkers: 3,
  // A worker keeps its modules from file to file: loading them again for each takes a third of the run.
  isolate: false,
  // Node loads the modules, as in production; transforming them takes a tenth of the run.
  experimental: { viteModuleRunner: false },
  tags: [{ name: "release", description: "takes too long for `npm test`; runs in `npm run test:release`" }],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A page that loads next to other tests takes longer than the default of a second.
  expect: { poll: { timeout: 10_000 } },
} satisfies TestProjectInlineConfiguration["test"];

/** The console's components, in a document. Vite loads their JSX and CSS, which Node does not. */
const components = {
  name: "components",
  include: ["packages/console/test/**/*.test.tsx"],
  setupFiles: ["test/support/vitest/cleanup.ts"],
  environment: "happy-dom",
  isolate: false,
  maxWorkers: everyday.maxWorkers,
  tags: everyday.tags,
} satisfies TestProjectInlineConfiguration["test"];

export default defineConfig({
  test: {
    globalSetup,
    reporters,
    projects: [
      {
        test: {
          ...everyday,
          name: "node",
          include,
          exclude: [...configDefaults.exclude, "test/release/**"],
        },
      },
      { test: components },
    ],
  },
});
