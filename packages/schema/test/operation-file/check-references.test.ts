import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, fileOf, issuesOf, placeOf } from "./support/files.ts";

type Fields = Record<string, unknown>;
const item = {
  name: "x",
  language: "en",
  shapeIdentifier: "s",
  tree: { parentId: "{{ defaults.rootItemId }}" },
};
const folder = (ref: string, fields: Fields = {}) =>
  JSON.stringify({ intent: "folder/create", _ref: ref, ...item, ...fields });
const upsert = (ref: string) => JSON.stringify({ intent: "document/upsert", _ref: ref, ...item });
const reader = (name: string, fields: Fields = {}) =>
  JSON.stringify({ intent: "customer/create", identifier: "c", firstName: name, ...fields });

/** The warnings of a file as `code index`. */
async function warnings(...operations: string[]): Promise<string[]> {
  const { issues, errorCount } = await check(fileOf(...operations));
  expect(errorCount).toBe(0);
  return issues.map(({ code, operationIndex }) => `${code} ${operationIndex}`);
}

describe("a template that does not parse", () => {
  it.each([
    ["an open block", "{{#if a.id}}x"],
    ["open braces", "Hello {{ a.id"],
    ["the wrong end", "{{#if a.id}}x{{/unless}}"],
    ["nothing in the braces", "{{}}"],
    ["a deep one", "{{#if a}}".repeat(100)],
    ["a long one", "{{ a.id }}".repeat(30_000)],
    ["nothing but open braces", "{{"],
    ["a formula", "frac{{x}{y}"],
    ["an else of no block", "{{else}}"],
    ["a quotation mark", '{{"}}'],
  ])(
    "is a warning, which says how braces are written, and leaves the file valid: %s",
    async (_, template) => {
      const content = fileOf(reader(template));
      expect(await issuesOf(content)).toEqual([
        expect.stringMatching(/^warning InvalidTemplate \/operations\/0\/firstName 2:\d+$/),
      ]);
      const { errorCount, issues } = await check(content);
      expect(errorCount).toBe(0);
      const tooLarge = /longer than|more than|deeper than/.test(issues[0]?.message ?? "");
      expect(issues[0]?.message.endsWith('; write \\{{ for braces that are text; in JSON, "\\\\{{"')).toBe(
        !tooLarge,
      );
    },
  );

  it("no text with braces, whatever it is, makes the file invalid", async () => {
    const piece = fc.constantFrom(
      "{{",
      "}}",
      "{",
      "}",
      "\\",
      "#if ",
      "/if",
      "else",
      "a",
      ".b",
      '"',
      "(",
      ")",
      "!--",
      "> ",
      "* ",
      "\n",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(piece, { maxLength: 8 }), { maxLength: 20 }), async (texts) => {
        const { errorCount } = await check(fileOf(...texts.map((pieces) => reader(pieces.join("")))));
        expect(errorCount).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it("has the place of the fault in the file, escapes minded", async () => {
    const content = fileOf(
      `{"intent": "customer/create",\n "identifier": "c", "firstName": "\\u00e9\\n\\"😀\\\\ {{ a.id } }} {{ b }}"}`,
    );
    expect(await issuesOf(content)).toEqual([
      `warning InvalidTemplate /operations/0/firstName ${placeOf(content, "} }}")}`,
    ]);
  });

  it("is found where the braces are written as escapes", async () => {
    const content = fileOf(
      '{"intent": "customer/create", "identifier": "c", "firstName": "\\u007b\\u007B }"}',
    );
    expect(await issuesOf(content)).toEqual([expect.stringContaining("InvalidTemplate")]);
  });

  it("is not looked for in what is never rendered: the intent, the _ref, keys", async () => {
    expect(await warnings('{"intent": "customer/create", "identifier": "c", "_ref": "{{"}')).toEqual([]);
    expect(await warnings('{"intent": "customer/create", "identifier": "c", "{{": 1}')).toEqual([
      "UnknownField 0",
    ]);
  });
});

describe("a reference", () => {
  it("to nothing is a warning that names the nearest", async () => {
    const { issues } = await check(fileOf(folder("tshirt"), reader("{{ tshrit.id }}")));
    expect(issues).toMatchObject([{ severity: "warning", code: "UndefinedReference", operationIndex: 1 }]);
    expect(issues[0]?.message).toContain(
      'no operation before this one has the _ref "tshrit"; did you mean "tshirt"?',
    );
  });

  it("to nothing that is near any name is a warning that says how braces are written", async () => {
    const advice = 'write \\{{ for braces that are text; in JSON, "\\\\{{"';
    const { issues } = await check(fileOf(folder("tshirt"), reader("{{firstName}}"), reader("{{a b}}")));
    expect(issues[0]?.message).toBe(`no operation before this one has the _ref "firstName"; ${advice}`);
    expect(issues.find(({ code }) => code === "UnknownHelper")?.message).toContain(`; ${advice}`);
  });

  it("to a later operation is a warning, and so is one to the operation itself", async () => {
    const { issues, lifetimes } = await check(
      fileOf(reader("{{ a.id }}"), folder("a", { name: "{{ a.id }}" })),
    );
    expect(issues).toMatchObject([
      {
        code: "ForwardReference",
        operationIndex: 0,
        message: expect.stringContaining("operations[1], which is executed later"),
      },
      {
        code: "ForwardReference",
        operationIndex: 1,
        message: expect.stringContaining("this operation itself"),
      },
    ]);
    expect(lifetimes).toEqual([]);
  });

  it("has its place in the file", async () => {
    const content = fileOf(reader("\n{{#if (lookup x.y 'z')}}é{{/if}}", { lastName: "😀 {{ nope.id }}" }));
    expect(await issuesOf(content)).toEqual([
      `warning UndefinedReference /operations/0/firstName ${placeOf(content, "x.y")}`,
      `warning UndefinedReference /operations/0/lastName ${placeOf(content, "nope")}`,
    ]);
  });

  it("is none when it is a block parameter, an element, `this`, `@index` or a default", async () => {
    const template =
      "{{#each a.list as |entry index|}}{{entry.id}}{{index}}{{@index}}{{this}}{{name}}{{../b.id}}{{/each}}{{ defaults.languages.[0] }}";
    const { issues, lifetimes } = await check(fileOf(folder("a"), folder("b"), reader(template)));
    expect(issues.map(({ code, message }) => `${code} ${message.slice(0, 28)}`)).toEqual([
      'UnknownProperty operations[0] has no "list" ',
    ]);
    expect(lifetimes).toEqual([
      { index: 0, lastReader: 2 },
      { index: 1, lastReader: 2 },
    ]);
  });

  it("may have dashes and dots in its name", async () => {
    expect(await warnings(folder("update-brief-op"), reader("{{update-brief-op.id}}"))).toEqual([]);
    expect(await warnings(folder("a.b c"), reader("{{ [a.b c].id }}"))).toEqual([]);
  });
});

describe("a name", () => {
  it("that an earlier operation has is a warning at the later one", async () => {
    const content = fileOf(folder("a"), folder("b"), folder("a"));
    expect(await issuesOf(content)).toEqual([
      `warning DuplicateReference /operations/2/_ref ${placeOf(content, '"a"', 2)}`,
    ]);
  });

  it("that templates never find is a warning", async () => {
    expect(await warnings(folder("defaults"))).toEqual(["ReservedReference 0"]);
  });
});

describe("a property", () => {
  it.each([
    ["folder/create", "id"],
    ["folder/create", "id.value"],
    ["folder/create", "language"],
  ])("that %s has gives no warning: %s", async (_, path) => {
    expect(await warnings(folder("a"), reader(`{{ a.${path} }}`))).toEqual([]);
  });

  it("that the intent never has is a warning that lists those it has", async () => {
    const { issues } = await check(fileOf(folder("a"), reader("{{ a.itemId }}")));
    expect(issues).toMatchObject([{ severity: "warning", code: "UnknownProperty", operationIndex: 1 }]);
    expect(issues[0]?.message).toBe(
      'operations[0] has no "itemId" in its result; there is id.value, language, versionLabel (folder/create)',
    );
  });

  it("that an upsert has only in one branch is a warning that shows how to guard it", async () => {
    const { issues } = await check(fileOf(upsert("a"), reader("{{ a.id.id }} {{ a.language }}")));
    expect(issues).toMatchObject([{ code: "BranchProperty" }, { code: "BranchProperty" }]);
    expect(issues[0]?.message).toContain("if it acts as document/create; write {{#if a.id.id}} around it");
    expect(issues[1]?.message).toContain("if it acts as document/update");
  });

  it("that prints the id after an upsert, whatever it did, gives none", async () => {
    expect(await warnings(upsert("a"), reader("{{ a.id }}"))).toEqual([]);
  });

  it("gives none within a condition or its branches", async () => {
    const template =
      "{{#if a.id.id}}{{ a.id.id }}{{else}}{{ a.id }}{{/if}}{{#unless a.nope}}{{ a.nope.x }}{{/unless}}";
    expect(await warnings(upsert("a"), reader(template))).toEqual([]);
  });

  it("is that of the latest operation of the name", async () => {
    const customer = JSON.stringify({ intent: "customer/create", _ref: "a", identifier: "c" });
    expect(await warnings(folder("a"), reader("{{ a.id }}"), customer, reader("{{ a.id }}"))).toEqual([
      "DuplicateReference 2",
      "UnknownProperty 3",
    ]);
  });

  it("of an operation with an unknown intent is nobody's guess", async () => {
    const { issues } = await check(fileOf('{"intent": "folder/creat", "_ref": "a"}', reader("{{ a.what }}")));
    expect(issues.map(({ code }) => code)).toEqual(["UnknownIntent"]);
  });
});

describe("what else a template names", () => {
  it("is a warning when it does not exist, and the nearest is named", async () => {
    const { issues } = await check(
      fileOf(
        reader(
          "{{ defaults.vatTypeId }}{{ uplaod 'x' }}{{#evry x.y}}{{/evry}}{{if defaults.taskId}}{{> part}}",
        ),
      ),
    );
    expect(issues.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringContaining('UndefinedReference: no operation before this one has the _ref "x"'),
      'UnknownDefault: there is no defaults.vatTypeId; did you mean "vatTypeIds"?',
      expect.stringContaining('UnknownHelper: there is no helper "uplaod"; did you mean "upload"'),
      'UnknownHelper: there is no helper "if"; it is a block: {{#if …}}…{{/if}}',
      expect.stringContaining('UnknownHelper: there is no block "evry"'),
      expect.stringContaining(
        "UnsupportedTemplate: a partial, {{> name}}, has no meaning in an operation, which has expressions, blocks and helpers; write \\{{ for braces",
      ),
    ]);
  });

  it.each([
    [
      "{{ fetchItemById }}",
      '"fetchItemById" takes id, and optionally language and version; it got 0 arguments',
    ],
    ["{{ fetchOrderById 'a' 'b' }}", '"fetchOrderById" takes id; it got 2 arguments'],
    ["{{ fetchItemById 'a' 'en' 'current' }}", 'knows the versions "draft" and "published", not "current"'],
    ["{{ fetchItemById id='a' }}", 'takes no named arguments; it got "id"'],
    ["{{ valueOf (fetchItemById 'a') }}", '"valueOf" takes entity and property; it got 1 argument'],
    ["{{ lookup defaults }}", '"lookup" takes object and property; it got 1 argument'],
    ["{{ upload }}", '"upload" takes url, and optionally resourceIdentifier; it got 0 arguments'],
    ["{{#if}}y{{/if}}", '"#if" takes 1 argument, got 0'],
    ["{{#each defaults.languages 2}}y{{/each}}", '"#each" takes 1 argument, got 2'],
    ["{{#if defaults zero=1}}y{{/if}}", '"#if" knows no "zero"; it knows "includeZero"'],
    ["{{#with defaults as |a b|}}y{{/with}}", '"#with" has at most 1 block parameter, got 2'],
  ])("is a warning when it gets other arguments than it takes: %s", async (template, message) => {
    const { issues } = await check(fileOf(reader(template)));
    expect(issues.map(({ code }) => code)).toEqual(["HelperArguments"]);
    expect(issues[0]?.message).toContain(message);
  });

  it("gives none when it exists", async () => {
    const template =
      "{{ upload 'https://example.com/x.png' }}{{ valueOf (fetchItemById defaults.rootItemId 'en' 'draft') 'name' }}{{lookup defaults.languages 0}}";
    expect(await warnings(reader(template))).toEqual([]);
  });
});

describe("the names of operations", () => {
  it("are told where a name is read that no operation before has, each at its first operation", async () => {
    const { names } = await check(
      fileOf(
        folder("a"),
        folder("b"),
        reader("{{ later.id }}"),
        folder("a"),
        folder("later"),
        folder("defaults"),
      ),
    );
    expect(names).toEqual([
      { name: "a", index: 0 },
      { name: "b", index: 1 },
      { name: "later", index: 4 },
    ]);
  });

  it("are not told where all that are read are there", async () => {
    expect((await check(fileOf(folder("a"), reader("{{ a.id }}{{ defaults.nope }}")))).names).toBeNull();
    expect((await check(fileOf(reader("{{ a.id }}")))).names).toEqual([]);
  });

  it("are 1,000 at most, and fewer where they are long", async () => {
    const many = Array.from({ length: 1_100 }, (_, i) => folder(`f${i}`));
    const { names } = await check(fileOf(...many, reader("{{ x.id }}")));
    expect(names?.map(({ index }) => index)).toEqual([...Array(1_000).keys()]);
    const long = Array.from({ length: 50 }, (_, i) => folder(`f${i}${"x".repeat(1_000)}`));
    expect((await check(fileOf(...long, reader("{{ x.id }}")))).names).toHaveLength(32);
  });
});

describe("lifetimes", () => {
  it("name each operation that a later one reads, and its last reader, in any string", async () => {
    const { lifetimes } = await check(
      fileOf(
        folder("a"),
        folder("b", { tree: { parentId: "{{ a.id }}" } }),
        folder("unread"),
        reader("{{#if a.nope}}{{ b.id }}{{/if}}"),
        reader("", { meta: [{ key: "k", value: "{{#unless b.id}}{{/unless}}" }] }),
      ),
    );
    expect(lifetimes).toEqual([
      { index: 0, lastReader: 3 },
      { index: 1, lastReader: 4 },
    ]);
  });

  it("take the latest operation of a name before the reader", async () => {
    const { lifetimes } = await check(
      fileOf(
        folder("a"),
        reader("{{ a.id }}"),
        folder("a"),
        folder("a"),
        reader("{{ a.id }}"),
        reader("{{ a.id }}"),
      ),
    );
    expect(lifetimes).toEqual([
      { index: 0, lastReader: 1 },
      { index: 3, lastReader: 5 },
    ]);
  });

  it("cover what only an alias or a look-up reaches", async () => {
    const { lifetimes } = await check(
      fileOf(
        folder("a"),
        folder("b"),
        folder("c"),
        reader(
          "{{#with a as |x|}}{{x.id}}{{/with}}{{ lookup b 'id' }}{{#each defaults.languages}}{{ @root.c.id }}{{/each}}",
        ),
      ),
    );
    expect(lifetimes.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it("of twenty thousand names are found, and warnings beyond the limit counted", async () => {
    const operations = Array.from({ length: 20_000 }, (_, index) =>
      index % 2 === 0 ? folder(`f-${index}`) : reader(`{{ f-${index - 1}.id }} {{ nope-${index}.id }}`),
    );
    const { lifetimes, warningCount, issues } = await check(fileOf(...operations));
    expect(lifetimes).toHaveLength(10_000);
    expect(lifetimes.every(({ index, lastReader }) => lastReader === index + 1)).toBe(true);
    expect([warningCount, issues.length]).toEqual([10_000, 1_000]);
  });
});
