import { defineConfig } from "vitest/config";
import { clusterUrl } from "./test/support/postgres/create-database.ts";
import { everyday, globalSetup, reporters } from "./vitest.config.ts";

const onCluster = ["test/{conformance,isolation}", "packages/service/test/{http/console,tenants}"].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/** `npm run test:cluster`: what must be the same on the Citus cluster that LADING_TEST_CITUS_URL names. */
export default defineConfig({
  test: {
    ...everyday,
    globalSetup,
    reporters,
    include: ["test/cluster/**/*.test.ts", ...(clusterUrl === undefined ? [] : onCluster)],
    // A statement takes several times as long as on one server.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
