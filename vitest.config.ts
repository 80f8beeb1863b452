import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/release/**"],
    globalSetup: ["test/support/vitest/global-setup.ts"],
    setupFiles: ["test/support/vitest/umask.ts"],
    reporters: ["default", "./test/support/vitest/tally-reporter.ts"],
    // Three for two cores: tests wait for their database, which is another process, two fifths of the time.
    maxWorkers: 3,
    // A worker keeps its modules from file to file: loading them again for each takes a third of the run.
    isolate: false,
    // Node loads the modules, as in production; transforming them takes a tenth of the run.
    experimental: { viteModuleRunner: false },
    tags: [{ name: "release", description: "takes too long for `npm test`; runs in `npm run test:release`" }],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
