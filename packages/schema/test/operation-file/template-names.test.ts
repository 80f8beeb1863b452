import { describe, expect, it } from "vitest";
import { check, fileOf } from "./support/files.ts";
import { folder, reader, warnings } from "./support/operations.ts";

describe("other names in a template", () => {
  it("a helper that does not exist is a warning that names the nearest", async () => {
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
        "UnsupportedTemplate: a partial, {{> name}}, is not supported: operations have expressions, blocks and helpers; write \\{{ for braces",
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
    [
      "{{ idOf 'tea' 'sku' 'a' }}",
      "knows the kinds folder, document, product, topic, order, contract, vatType, orderPipeline, pipelineStage, " +
        'planPeriod, meteredVariable, not "tea"',
    ],
    ["{{ idOf 'topic' 'sku' 'a' }}", 'finds a topic by resourceIdentifier or path, not by "sku"'],
    [
      "{{ idOf 'planPeriod' 'name' 'Month' }}",
      '"idOf" takes a fourth argument, which names what has the planPeriod',
    ],
    ["{{ idOf 'vatType' 'name' 'a' 'b' }}", '"idOf" takes no fourth argument for a vatType by name'],
    ["{{ idOf 'topic' 'path' 'tea' }}", '"idOf" takes a path such as "/tea/green", not "tea"'],
    ["{{ idOf 'topic' }}", '"idOf" takes kind and by and key, and optionally within; it got 1 argument'],
    ["{{ fetchItemById id='a' }}", 'takes no named arguments; it got "id"'],
    ["{{ valueOf (fetchItemById 'a') }}", '"valueOf" takes entity and property; it got 1 argument'],
    ["{{ lookup defaults }}", '"lookup" takes object and property; it got 1 argument'],
    ["{{ upload }}", '"upload" takes url, and optionally resourceIdentifier; it got 0 arguments'],
    ["{{ upload 'a' sha1='b' }}", '"upload" takes no named argument but "sha256"; it got "sha1"'],
    ["{{ upload 'a' sha256='b' }}", '"upload" takes 64 hexadecimal digits as sha256, not the text "b"'],
    ["{{ upload 'a' sha256=1 }}", '"upload" takes 64 hexadecimal digits as sha256, not the number 1'],
    ["{{#if}}y{{/if}}", '"#if" takes 1 argument, got 0'],
    ["{{#each defaults.languages 2}}y{{/each}}", '"#each" takes 1 argument, got 2'],
    ["{{#if defaults zero=1}}y{{/if}}", '"#if" takes no argument named "zero"; it takes "includeZero"'],
    ["{{#with defaults as |a b|}}y{{/with}}", '"#with" has at most 1 block parameter, got 2'],
  ])("a helper with the wrong arguments is a warning: %s", async (template, message) => {
    const { issues } = await check(fileOf(reader(template)));
    expect(issues.map(({ code }) => code)).toEqual(["HelperArguments"]);
    expect(issues[0]?.message).toContain(message);
  });

  it("helpers that exist give no warning", async () => {
    const template =
      "{{ upload 'https://example.com/x.png' }}{{ valueOf (fetchItemById defaults.rootItemId 'en' 'draft') 'name' }}{{lookup defaults.languages 0}}";
    expect(await warnings(reader(template))).toEqual([]);
  });
});

describe("the names of operations", () => {
  it("names are reported if one is read that no earlier operation has, each at its first operation", async () => {
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

  it("names are not reported if every name read exists", async () => {
    expect((await check(fileOf(folder("a"), reader("{{ a.id }}{{ defaults.nope }}")))).names).toBeNull();
    expect((await check(fileOf(reader("{{ a.id }}")))).names).toEqual([]);
  });

  it("at most 1,000 names are reported, and fewer if they are long", async () => {
    const many = Array.from({ length: 1_100 }, (_, i) => folder(`f${i}`));
    const { names } = await check(fileOf(...many, reader("{{ x.id }}")));
    expect(names?.map(({ index }) => index)).toEqual([...Array(1_000).keys()]);
    const long = Array.from({ length: 50 }, (_, i) => folder(`f${i}${"x".repeat(1_000)}`));
    expect((await check(fileOf(...long, reader("{{ x.id }}")))).names).toHaveLength(32);
  });
});
