import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { check, fileOf, issuesOf, positionOf } from "./support/files.ts";
import { folder, item, reader, warnings } from "./support/operations.ts";

const upsert = (ref: string) => JSON.stringify({ intent: "document/upsert", _ref: ref, ...item });

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
  ])("a template that does not parse is a warning that explains braces: %s", async (_, template) => {
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
  });

  it("no text with braces makes the file invalid", async () => {
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
      { numRuns: runs(100) },
    );
  });

  it("the warning about a template points at the mistake in the file, even behind escapes", async () => {
    const content = fileOf(
      `{"intent": "customer/create",\n "identifier": "c", "firstName": "\\u00e9\\n\\"😀\\\\ {{ a.id } }} {{ b }}"}`,
    );
    expect(await issuesOf(content)).toEqual([
      `warning InvalidTemplate /operations/0/firstName ${positionOf(content, "} }}")}`,
    ]);
  });

  it("a template is checked even if its braces are written as escapes", async () => {
    const content = fileOf(
      '{"intent": "customer/create", "identifier": "c", "firstName": "\\u007b\\u007B }"}',
    );
    expect(await issuesOf(content)).toEqual([expect.stringContaining("InvalidTemplate")]);
  });

  it("intents, _refs and keys are not checked as templates, since they are never rendered", async () => {
    expect(await warnings('{"intent": "customer/create", "identifier": "c", "_ref": "{{"}')).toEqual([]);
    expect(await warnings('{"intent": "customer/create", "identifier": "c", "{{": 1}')).toEqual([
      "UnknownField 0",
    ]);
  });
});

describe("a reference", () => {
  it("a reference to nothing is a warning that names the nearest name", async () => {
    const { issues } = await check(fileOf(folder("tshirt"), reader("{{ tshrit.id }}")));
    expect(issues).toMatchObject([{ severity: "warning", code: "UndefinedReference", operationIndex: 1 }]);
    expect(issues[0]?.message).toContain(
      'no operation before this one has the _ref "tshrit"; did you mean "tshirt"?',
    );
  });

  it("a name near that of the default variables is a warning that names them", async () => {
    const { issues } = await check(fileOf(reader("{{ default.rootItemId }}")));
    expect(issues[0]?.message).toContain('the _ref "default"; did you mean "defaults"?');
  });

  it("a reference without a similar name is a warning that says how to write braces", async () => {
    const advice = 'write \\{{ for braces that are text; in JSON, "\\\\{{"';
    const { issues } = await check(fileOf(folder("tshirt"), reader("{{firstName}}"), reader("{{a b}}")));
    expect(issues[0]?.message).toBe(`no operation before this one has the _ref "firstName"; ${advice}`);
    expect(issues.find(({ code }) => code === "UnknownHelper")?.message).toContain(`; ${advice}`);
  });

  it("a reference to a later operation, or to itself, is a warning", async () => {
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

  it("the warning about a reference has its position in the file", async () => {
    const content = fileOf(reader("\n{{#if (lookup x.y 'z')}}é{{/if}}", { lastName: "😀 {{ nope.id }}" }));
    expect(await issuesOf(content)).toEqual([
      `warning UndefinedReference /operations/0/firstName ${positionOf(content, "x.y")}`,
      `warning UndefinedReference /operations/0/lastName ${positionOf(content, "nope")}`,
    ]);
  });

  it("a block parameter, an element, `this`, `@index` and a default are not references", async () => {
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

  it("the name in a reference may contain dashes and dots", async () => {
    expect(await warnings(folder("update-brief-op"), reader("{{update-brief-op.id}}"))).toEqual([]);
    expect(await warnings(folder("a.b c"), reader("{{ [a.b c].id }}"))).toEqual([]);
  });
});

describe("a name", () => {
  it("reusing an earlier operation's name is a warning at the later one", async () => {
    const content = fileOf(folder("a"), folder("b"), folder("a"));
    expect(await issuesOf(content)).toEqual([
      `warning DuplicateReference /operations/2/_ref ${positionOf(content, '"a"', 2)}`,
    ]);
  });

  it("a name that templates can never find is a warning", async () => {
    expect(await warnings(folder("defaults"))).toEqual(["ReservedReference 0"]);
  });
});

describe("a property", () => {
  it.each([
    ["folder/create", "id"],
    ["folder/create", "id.value"],
    ["folder/create", "language"],
  ])("a property that %s has gives no warning: %s", async (_, path) => {
    expect(await warnings(folder("a"), reader(`{{ a.${path} }}`))).toEqual([]);
  });

  it("a property that the intent never has is a warning that lists those it has", async () => {
    const { issues } = await check(fileOf(folder("a"), reader("{{ a.itemId }}")));
    expect(issues).toMatchObject([{ severity: "warning", code: "UnknownProperty", operationIndex: 1 }]);
    expect(issues[0]?.message).toBe(
      'operations[0] has no "itemId" in its result; there is id.value, language, versionLabel (folder/create)',
    );
  });

  it("a property that only one branch of an upsert has is a warning that shows how to guard it", async () => {
    const { issues } = await check(fileOf(upsert("a"), reader("{{ a.id.id }} {{ a.language }}")));
    expect(issues).toMatchObject([{ code: "BranchProperty" }, { code: "BranchProperty" }]);
    expect(issues[0]?.message).toContain("if it acts as document/create; write {{#if a.id.id}} around it");
    expect(issues[1]?.message).toContain("if it acts as document/update");
  });

  it("printing the id of an upsert gives no warning, whichever branch it takes", async () => {
    expect(await warnings(upsert("a"), reader("{{ a.id }}"))).toEqual([]);
  });

  it("a property within a condition or its branches gives no warning", async () => {
    const template =
      "{{#if a.id.id}}{{ a.id.id }}{{else}}{{ a.id }}{{/if}}{{#unless a.nope}}{{ a.nope.x }}{{/unless}}";
    expect(await warnings(upsert("a"), reader(template))).toEqual([]);
  });

  it("a property is checked against the latest operation of that name", async () => {
    const customer = JSON.stringify({ intent: "customer/create", _ref: "a", identifier: "c" });
    expect(await warnings(folder("a"), reader("{{ a.id }}"), customer, reader("{{ a.id }}"))).toEqual([
      "DuplicateReference 2",
      "UnknownProperty 3",
    ]);
  });

  it("a property of an operation with an unknown intent is not checked", async () => {
    const { issues } = await check(fileOf('{"intent": "folder/creat", "_ref": "a"}', reader("{{ a.what }}")));
    expect(issues.map(({ code }) => code)).toEqual(["UnknownIntent"]);
  });
});
