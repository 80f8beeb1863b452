import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { finished, openService, runFile, serviceEngines, startFile } from "../support/service.ts";

const group = (identifier: string, more: object = {}) => ({
  intent: "customer/group/create",
  identifier,
  ...more,
});
const fileOf = (...operations: object[]) => ({ version: "1.0.0", operations });

describe.each(serviceEngines)("a service on %s", (engine) => {
  let client: TenantClient;
  const service = opened(() => openService(engine));
  beforeAll(async () => {
    client = await service.tenant("acme");
  });

  test.each([
    ["is not JSON", "hello", /JSON/],
    ["is blank", " \n ", /empty|end|JSON/i],
    [
      "ends in the middle",
      '{"version": "1.0.0", "operations": [{"intent": "customer/group/cr',
      /end|unterminated|truncated/i,
    ],
    ["is a list", "[]", /object/],
    ["has no version", '{"operations": []}', /version/],
    ["has a version of two numbers", '{"version": "1.0", "operations": []}', /version/],
    ["has two lists of operations", '{"version": "1.0.0", "operations": [], "operations": []}', /operations/],
    ["has an unknown intent", fileOf({ intent: "product/upsrt" }), /product\/upsert/],
    [
      "has a NUL in a text",
      '{"version":"1.0.0","operations":[{"intent":"customer/group/create","identifier":"a\\u0000"}]}',
      /NUL|\\u0000/,
    ],
  ])(
    "a file that %s ends its task in error, names the problem and its position, and executes nothing",
    async (_, file, message) => {
      const task = await runFile(client, file);
      expect(task).toMatchObject({ status: "error", info: { errorName: "ValidationError" }, log: [] });
      const [issue] = task.issues;
      expect(`${issue?.pointer} ${issue?.message}`).toMatch(message);
      expect(issue?.line).toBeGreaterThan(0);
      expect(issue?.column).toBeGreaterThan(0);
      expect(task.info?.error).toContain("nothing was executed");
    },
  );

  test("broken UTF-8 is an error with its position; a byte order mark is fine", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"version":"1.0.0","operations":[{"intent":"'),
      Buffer.from([0xff]),
      Buffer.from('"}]}'),
    ]);
    const key = await client.upload(new Blob([bytes]));
    const started = await client.graphql<{ t: { id: string } }>(
      "mutation ($key: String!) { t: createMassOperationBulkTask(input: {key: $key, autoStart: true}) { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }",
      { key },
    );
    const broken = await finished(client, started.t.id);
    expect(broken).toMatchObject({ status: "error", log: [] });
    expect(broken.issues[0]?.message).toMatch(/UTF-8/);
    expect((await runFile(client, `\ufeff${JSON.stringify(fileOf())}`)).status).toBe("complete");
  });

  test("impossible values are warnings in validation, and errors of operations and mutations", async () => {
    const impossible = [
      { intent: "customer/create", identifier: "ada", birthDate: "2026-02-30" },
      { intent: "topic/create", language: "en", name: "Wood", pathIdentifier: "Bad Path!" },
      { intent: "order/register", customer: { identifier: "ada" }, cart: [{ name: "", quantity: 1 }] },
    ];
    const { status, issues, log } = await runFile(client, fileOf(...impossible, group("after-impossible")));
    expect(status).toBe("complete");
    const pointers = ["/birthDate", "/pathIdentifier", "/cart/0/name"];
    expect(issues.map(({ severity, pointer }) => [severity, pointer])).toEqual(
      pointers.map((pointer, i) => ["warning", `/operations/${i}${pointer}`]),
    );
    expect(log.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 200]);
    const [customer, topic, order] = log.map(({ message }) => message);
    expect(customer).toContain("/birthDate: there is no 2026-02-30: February 2026 has 28 days");
    expect(topic).toContain('use "bad-path"');
    expect(order).toContain("/cart/0/name: must not be empty");
    const failure = "... on BasicError { errorName message errors { path } }";
    const answers = await client.graphql<Record<string, { errorName: string; message: string }>>(`mutation {
      a: createCustomer(input: {identifier: "ada", birthDate: "2026-02-30"}) { ... on Customer { identifier } ${failure} }
      b: createTopic(language: "en", input: {name: "Wood", pathIdentifier: "Bad Path!"}) { ... on Topic { id } ${failure} }
      c: registerOrder(input: {customer: {identifier: "ada"}, cart: [{name: "", quantity: 1}]}) { ... on OrderConfirmation { id } ${failure} } }`);
    expect(Object.values(answers).map(({ errorName, message }) => [errorName, message])).toEqual(
      [customer, topic, order].map((message) => ["ValidationError", message]),
    );
  });

  test("a wrong type ten levels deep is reported at its pointer", async () => {
    const nest = (depth: number): object =>
      depth === 0
        ? { componentId: "c", singleLine: { text: 7 } }
        : { componentId: "c", piece: { identifier: "p", components: [nest(depth - 1)] } };
    const operation = {
      intent: "document/create",
      language: "en",
      shapeIdentifier: "s",
      name: "n",
      tree: { parentId: "0123456789abcdef01234567" },
      components: [nest(5)],
    };
    const task = await runFile(client, fileOf(operation));
    expect(task.status).toBe("error");
    expect(task.issues[0]?.pointer).toBe(
      `/operations/0/components/0${"/piece/components/0".repeat(5)}/singleLine/text`,
    );
  });

  test("of five thousand issues all are counted and a thousand listed, errors first", async () => {
    const wrong = Array.from({ length: 5_000 }, (_, i) => ({
      intent: "customer/group/create",
      identifier: i,
      nam: "x",
    }));
    const task = await runFile(client, fileOf(...wrong));
    expect(task.issues).toHaveLength(1_000);
    expect(task.issues.every(({ severity }) => severity === "error")).toBe(true);
    expect(task.info?.error).toContain("5000 errors");
  });

  test("an unknown field is a warning that suggests the nearest one, and is ignored", async () => {
    const task = await runFile(client, fileOf(group("warned", { nmae: "Warned" })));
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: 1 } });
    expect(task.issues[0]).toMatchObject({ severity: "warning", pointer: "/operations/0/nmae" });
    expect(task.issues[0]?.message).toContain('"name"');
  });

  test("a reference to a failed operation fails with 424, an unknown one with 400; others succeed", async () => {
    const task = await runFile(
      client,
      fileOf(
        group("dup"),
        { ...group("dup"), _ref: "failed" },
        group("after-{{ failed.identifier }}"),
        group("after-{{ nobody.identifier }}"),
        group("{{ later.identifier }}-x"),
        { ...group("late"), _ref: "later" },
        group("{{#if failed.identifier}}never{{else}}else-branch{{/if}}"),
      ),
    );
    expect(task.status).toBe("complete");
    expect(task.log.map(({ statusCode }) => statusCode)).toEqual([200, 409, 424, 400, 400, 200, 200]);
    expect(task.log[2]?.message).toContain("operation 1");
    expect(task.log[6]?.output).toMatchObject({ identifier: "else-branch" });
    expect(task.progress).toMatchObject({ total: 7, processed: 7, succeeded: 3, partial: 0, failed: 4 });
  });

  test("an invalid template fails its operation with 400 and dependent ones with 424; others succeed", async () => {
    const names = [
      "frac{{x}{y}",
      "{{",
      "{{}}",
      "{{else}}",
      '{{"}}',
      "{{ upload 'x }}",
      "{{ fetchItemById 'x }}",
    ];
    const unsupported = ["{{> part}}", "{{#* d}}{{/d}}"];
    const wrong = [...names, ...unsupported].map((name, i) =>
      group(`braces-${i}`, { name, _ref: `wrong${i}` }),
    );
    const dependent = group("reads-{{ wrong0.identifier }}");
    const written = group("written", { name: "frac\\{{x}{y}" });
    const task = await runFile(client, fileOf(...wrong, group("{{"), dependent, written));
    expect(task.status).toBe("complete");
    expect(task.log.map(({ statusCode }) => statusCode)).toEqual([...wrong.map(() => 400), 400, 424, 200]);
    expect(task.log[0]?.message).toBe(
      'The template has braces that are opened and not closed (line 1, column 5 of the text); write \\{{ for braces that are text; in JSON, "\\\\{{". (operations[0], /name)',
    );
    expect(task.issues.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`)).toEqual([
      ...names.map((_, i) => `warning InvalidTemplate /operations/${i}/name`),
      ...unsupported.map((_, i) => `warning UnsupportedTemplate /operations/${names.length + i}/name`),
      `warning InvalidTemplate /operations/${wrong.length}/identifier`,
    ]);
    const stored = await client.graphql<{ g: { name: string } }>(
      '{ g: customerGroup(identifier: "written") { ... on CustomerGroup { name } ... on BasicError { error } } }',
    );
    expect(stored.g.name).toBe("frac{{x}{y}");
  });

  test("wrong content is reported by component, and missing values by one kind of code", async () => {
    const limits = { min: 2, max: 9, pattern: "^[a-z]+$" };
    const intro = { id: "intro", name: "Intro", type: "singleLine", config: { singleLine: limits } };
    const tree = { parentId: "{{ defaults.rootItemId }}" };
    const note = { intent: "document/create", shapeIdentifier: "note", language: "en", name: "Note", tree };
    const task = await runFile(
      client,
      fileOf(
        { intent: "shape/upsert", identifier: "note", type: "document", name: "Note", components: [intro] },
        { ...note, components: [{ componentId: "intro", singleLine: { text: "A" } }] },
        { ...note, shapeIdentifier: "none" },
      ),
    );
    expect(task.log.slice(1)).toMatchObject([
      {
        errorName: "ComponentContentValidationFailedError",
        message:
          "components.intro.singleLine: 1 character, but the shape requires at least 2; " +
          'components.intro.singleLine: "A" does not match the pattern ^[a-z]+$',
        errors: [{ code: "TooFew" }, { code: "PatternMismatch" }],
      },
      { errorName: "ShapeNotFoundError", errors: [{ code: "ShapeNotFound", path: ["shapeIdentifier"] }] },
    ]);
  });

  test("a repeated _ref means the latest operation with it so far", async () => {
    const task = await runFile(
      client,
      fileOf(
        { ...group("one"), _ref: "same" },
        group("after-{{ same.identifier }}"),
        { ...group("two"), _ref: "same" },
        group("after-{{ same.identifier }}-2"),
      ),
    );
    expect(task.log.map(({ output }) => output?.identifier)).toEqual([
      "one",
      "after-one",
      "two",
      "after-two-2",
    ]);
    expect(task.issues.map(({ severity }) => severity)).toEqual(["warning"]);
  });

  test("a file deleted or replaced after the upload ends the task in error", async () => {
    const pending = async () => {
      const key = await client.upload(new Blob([JSON.stringify(fileOf(group("gone")))]));
      const { t } = await client.graphql<{ t: { id: string } }>(
        "mutation ($key: String!) { t: createMassOperationBulkTask(input: {key: $key}) { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }",
        { key },
      );
      return { id: t.id, path: join(service.dataDir, "uploads", "objects", key.replaceAll("/", "~")) };
    };
    const start =
      "mutation ($id: ID!) { startMassOperationBulkTask(id: $id) { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }";
    const deleted = await pending();
    await rm(deleted.path);
    await client.graphql(start, { id: deleted.id });
    const { info } = await finished(client, deleted.id);
    expect(info?.errorName).toBe("ObjectMissing");
    expect(info?.stack).toMatch(
      /for the object \S+\/mass-operations\/\S+ with the ETag \S+\nEnded at 20\S+Z before the file was/,
    );
    const replaced = await pending();
    await writeFile(replaced.path, JSON.stringify(fileOf(group("smuggled"))));
    await client.graphql(start, { id: replaced.id });
    expect(await finished(client, replaced.id)).toMatchObject({
      info: { errorName: "ObjectChanged" },
      log: [],
    });
  });

  test("a task cannot be started twice, nor created from an unknown key or another tenant's", async () => {
    const other = await service.tenant("other");
    const id = await startFile(client, fileOf());
    await finished(client, id);
    const { s } = await client.graphql<{ s: { errorName: string; error: string } }>(
      "mutation ($id: ID!) { s: startMassOperationBulkTask(id: $id) { ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }",
      { id },
    );
    expect(s).toMatchObject({
      errorName: "InvalidTaskStateError",
      error: expect.stringContaining("complete"),
    });
    const theirs = await other.upload(new Blob(["{}"]));
    const create = (key: string) =>
      client.graphql<{ c: { errorName: string; error: string } }>(
        "mutation ($key: String!) { c: createMassOperationBulkTask(input: {key: $key}) { ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }",
        { key },
      );
    const [unknown, foreign] = await Promise.all([
      create(`${client.access.tenant.id}/mass-operations/x/y.json`),
      create(theirs),
    ]);
    expect(unknown.c.errorName).toBe("UploadNotFoundError");
    expect(foreign.c.errorName).toBe("UploadNotFoundError");
  });

  test("a file without operations completes immediately", async () => {
    expect(await runFile(client, fileOf())).toMatchObject({
      status: "complete",
      progress: { total: 0 },
      log: [],
    });
  });
});
