import { describe, expect, test } from "vitest";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { opened } from "../support/opened.ts";
import { openService, runFile, serviceEngines } from "../support/service.ts";
import { blocks, page } from "./pages.ts";

const file = "docs/results.md";
const examples = [
  ...blocks(page(file), "json run"),
  ...["README.md", "docs/how-a-write-works.md"].flatMap((other) => blocks(page(other), "json")),
];

describe(file, () => {
  const service = opened(() => openService(serviceEngines[0]));

  test("docs/results.md has the results of the code: after a change, run `npm run generate`", () => {
    expect(page(file)).toBe(withTables(file, page(file)));
  });

  test("docs/results.md, README.md and docs/how-a-write-works.md have examples", () =>
    expect(examples.length).toBeGreaterThan(3));

  test.each(examples.map((example, i) => [i + 1, example] as const))(
    "example %i of docs/results.md, README.md and docs/how-a-write-works.md succeeds",
    async (i, example) => {
      const task = await runFile(await service.tenant(`example-${i}`), example);
      expect(task.log.filter(({ status }) => status !== "success")).toEqual([]);
      expect(task).toMatchObject({ status: "complete", issues: [], info: null });
      expect(task.progress.succeeded).toBe(JSON.parse(example).operations.length);
    },
  );

  test("docs/results.md documents a template with nothing to read", async () => {
    const group = (identifier: string) => ({ intent: "customer/group/create", identifier });
    const task = await runFile(await service.tenant("absent"), {
      version: "1.0.0",
      operations: [
        { _ref: "first", ...group("first") },
        { _ref: "failed", ...group("first") },
        group("a {{ failed.identifier }}"),
        group("b {{ firts.identifier }}"),
        group("c {{ first.name }}"),
        group("d {{ first }}"),
        group("e {{#if failed}}never{{else}}otherwise{{/if}}"),
        { _ref: "my-group", ...group("f") },
        group("{{ [my-group].identifier }}g"),
      ],
    });
    expect(task.log.map(({ statusCode }) => statusCode)).toEqual([
      200, 409, 424, 400, 400, 400, 200, 200, 200,
    ]);
    expect(task.issues.map(({ code }) => code)).toEqual(["UndefinedReference", "UnknownProperty"]);
  });
});
