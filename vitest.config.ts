import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  // Vite would take the package's other build, and graphql refuses to work with a second copy of itself.
  resolve: { alias: { graphql: fileURLToPath(import.meta.resolve("graphql")) } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/release/**"],
    globalSetup: ["test/support/vitest/global-setup.ts"],
    setupFiles: ["test/support/vitest/umask.ts"],
    reporters: ["default", "./test/support/vitest/tally-reporter.ts"],
    // One worker for each core: most tests wait for a database, which is another process.
    maxWorkers: 2,
    // A worker keeps its modules from file to file: loading them again for each takes a third of the run.
    isolate: false,
    tags: [{ name: "release", description: "takes too long for `npm test`; runs in `npm run test:release`" }],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
