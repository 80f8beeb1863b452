import { describe, expect, test } from "vitest";
import { runPipeline } from "../support/programs/pipeline.ts";
import { freePort } from "../support/servers/port.ts";
import { blocks, page } from "./pages.ts";

const file = "docs/fixtures.md";

describe(file, () => {
  // The suite of this project runs it, as it stands in examples/.
  test("shows the fixtures' test unchanged", () => {
    expect(blocks(page(file), "ts vitest")).toEqual([page("examples/embedding/with-fixtures.test.ts")]);
  });

  test("has commands for a pipeline that start a service with the fixtures", {
    tags: "release",
  }, async () => {
    const [pipeline = ""] = blocks(page(file), "sh pipeline");
    const port = await freePort();
    const { printed, code } = await runPipeline(`${pipeline}npx lading mass-operation list shop --json`, {
      files: "examples/embedding/fixtures.json",
      environment: { LADING_PORT: String(port), LADING_URL: `http://127.0.0.1:${port}` },
    });
    expect(code).toBe(0);
    expect(printed).toContain(`"succeeded": 6`);
  });

  test("has commands for a pipeline that fail if the service cannot start", {
    tags: "release",
  }, async () => {
    const [pipeline = ""] = blocks(page(file), "sh pipeline");
    const { code } = await runPipeline(pipeline, {
      files: "examples/embedding/fixtures.json",
      environment: { LADING_PORT: "70000" },
    });
    expect(code).toBe(1);
  });
});
