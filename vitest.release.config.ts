import { configDefaults, defineConfig } from "vitest/config";
import everyday from "./vitest.config.ts";

/** `npm run test:release`: what takes too long for `npm test`, or needs more than npm. */
export default defineConfig({
  ...everyday,
  test: {
    ...everyday.test,
    include: ["test/release/**/*.test.ts"],
    exclude: configDefaults.exclude,
    // One after the other: some of them measure memory and times.
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
