import { expect, test } from "vitest";
import { blocks, page } from "../docs/pages.ts";
import { runPipeline } from "../support/programs/pipeline.ts";
import { openService } from "../support/service.ts";

test("the pipeline of docs/promotion.md compares, plans, runs and ends without differences", async () => {
  const service = await openService("pglite");
  try {
    const before = `
      npx lading tenant create production
      npx lading tenant create development
      npx lading mass-operation run production shop.json --quiet
      npx lading mass-operation run development shop.json --quiet
      npx lading mass-operation run development spring.json --quiet`;
    const { printed, code } = await runPipeline(
      [before, ...blocks(page("docs/promotion.md"), "sh pipeline")].join("\n"),
      {
        files: "examples/promotion",
        environment: { LADING_URL: service.url, LADING_OPERATOR_TOKEN: service.operatorToken },
      },
    );
    expect(printed).toMatch(
      /promotion\.json: \d operations to make production like development\n0 operations to make/,
    );
    expect(code).toBe(0);
  } finally {
    await service.close();
  }
}, 120_000);
