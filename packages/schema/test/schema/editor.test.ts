import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { getLanguageService, type LanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { checkOperationFile, intentNames, intents, massOperationJsonSchema } from "../../src/internal.ts";

// How an editor uses the JSON Schema: these tests drive the engine of Visual Studio Code. `|` is the cursor.

let service: LanguageService;

beforeAll(() => {
  service = getLanguageService({
    clientCapabilities: {
      textDocument: { completion: { completionItem: { documentationFormat: ["markdown"] } } },
    },
  });
  const schema = massOperationJsonSchema() as object;
  service.configure({ validate: true, schemas: [{ uri: "lading:schema", fileMatch: ["*"], schema }] });
});

const file = (...operations: string[]) => `{"version": "1.0.0", "operations": [${operations.join(", ")}]}`;

function opened(text: string) {
  const document = TextDocument.create("file:///shop.json", "json", 1, text.replace("|", ""));
  const position = document.positionAt(text.indexOf("|"));
  return { document, position, json: service.parseJSONDocument(document) };
}

async function completions(text: string) {
  const { document, position, json } = opened(text);
  const list = await service.doComplete(document, position, json);
  return (list?.items ?? []).map(({ label, documentation }) => ({ label, documentation }));
}

const labels = async (text: string) => (await completions(text)).map(({ label }) => label);

async function underlined(text: string) {
  const { document, json } = opened(text);
  const problems = await service.doValidation(document, json);
  return problems.map(({ range, message }) => ({ text: document.getText(range), message }));
}

async function hover(text: string) {
  const { document, position, json } = opened(text);
  return JSON.stringify((await service.doHover(document, position, json))?.contents);
}

describe("In an editor", () => {
  it("an unknown intent is one problem, which says so", async () => {
    expect(await underlined(file(`{"intent": "product/upsrt", "name": "Sencha"}`))).toEqual([
      {
        text: '"product/upsrt"',
        message: `Unknown intent: the completion of this value lists all ${intentNames.length}`,
      },
    ]);
  });

  it("an operation without an intent is one problem", async () => {
    expect(await underlined(file(`{"sku": "a"}`))).toEqual([
      { text: "{", message: 'Missing property "intent".' },
    ]);
  });

  it("unknown fields are underlined, at any depth", async () => {
    const operation = `{"intent": "customer/upsert", "identifier": "a", "nam": "b",
      "addresses": [{"type": "billing", "town": "Oslo"}]}`;
    expect((await underlined(file(operation))).map(({ text }) => text).sort()).toEqual(['"nam"', '"town"']);
    expect(await underlined(`{"version": "1.0.0", "operations": [], "operation": []}`)).toMatchObject([
      { text: '"operation"' },
    ]);
  });

  it("a missing field is underlined where it is missing", async () => {
    expect(await underlined(file(`{"intent": "product/variant/delete"}`))).toMatchObject([
      { message: 'Missing property "sku".' },
    ]);
  });

  it.each([
    [`{"intent": "topic/delete", "topicId": "12"}`, '"12"'],
    [
      `{"intent": "item/publish", "language": "en", "itemId": "{{ a.id }}", "includeDescendants": "yes"}`,
      '"yes"',
    ],
    [`{"intent": "shape/create", "identifier": "a-shape", "name": "A", "type": "prodct"}`, '"prodct"'],
  ])("a wrong value is one problem: %s", async (operation, text) => {
    expect(await underlined(file(operation))).toMatchObject([{ text }]);
  });

  it("the message about a wrong enum value lists the values", async () => {
    const [problem] = await underlined(
      file(`{"intent": "shape/create", "identifier": "a-shape", "name": "A", "type": "prodct"}`),
    );
    expect(problem?.message).toContain('"product", "document", "folder"');
  });

  it("templates are allowed for ids, numbers, booleans, dates, enums and texts", async () => {
    const operations = [
      `{"intent": "item/publish", "_ref": "p", "language": "{{ defaults.languages.[0] }}", "itemId": "{{ a.id }}",
        "includeDescendants": "{{ a.published }}"}`,
      `{"intent": "product/variant/stock/modify", "operation": "{{ a.operation }}", "quantity": "{{ a.quantity }}",
        "sku": "{{ a.sku }}", "stockLocationIdentifier": "default"}`,
      `{"intent": "customer/upsert", "identifier": "{{ a.key }}", "birthDate": "{{ a.date }}", "email": "{{ a.b }}"}`,
    ];
    expect(await underlined(file(...operations))).toEqual([]);
  });

  it("all intents are completed, each with its description", async () => {
    for (const operation of ['{"intent": "|"}', '{"intent": |}', '{"intent": "|", "name": "a"}']) {
      const items = await completions(file(operation));
      expect(items.map(({ label }) => label).sort()).toEqual(intentNames.map((name) => `"${name}"`).sort());
      const upsert = items.find(({ label }) => label === '"product/upsert"');
      expect(JSON.stringify(upsert?.documentation)).toContain(intents["product/upsert"].about);
    }
  });

  it("a new operation gets its intent first", async () => {
    expect(await labels(file("{|}"))).toEqual(["intent"]);
  });

  it("the intent decides which fields are completed", async () => {
    expect((await labels(file('{"intent": "topic/delete", |}'))).sort()).toEqual([
      "_ifUnchangedSince",
      "_ref",
      "_results",
      "_source",
      "resourceIdentifier",
      "topicId",
    ]);
    expect((await labels(file('{"intent": "product/variant/delete", |}'))).sort()).toEqual([
      "_ifUnchangedSince",
      "_ref",
      "_results",
      "_source",
      "sku",
    ]);
    expect(await labels(file('{"intent": "product/upsert", "variants": [{|}]}'))).toContain("stockLocations");
  });

  it("enum values are completed, with their meanings", async () => {
    const items = await completions(file('{"intent": "order/upsert", "paymentStatus": "|"}'));
    expect(items.map(({ label }) => label)).toContain('"partiallyPaid"');
    expect(JSON.stringify(items)).toContain("a part is paid");
  });

  it("hovering over an intent or a field shows its description", async () => {
    expect(await hover(file('{"intent": "item/pub|lish"}'))).toContain("Publishes an item in one language");
    const field = '{"intent": "item/publish", "lang|uage": "en"}';
    expect(await hover(file(field))).toContain("Language to publish or unpublish");
    const part = '{"intent": "product/upsert", "tr|ee": {"parentId": "{{ defaults.rootItemId }}"}}';
    expect(await hover(file(part))).toContain("Location of the item in the tree");
  });

  it("a file without issues in the checker has no problems", async () => {
    const folder = new URL("../../../../examples/", import.meta.url);
    for (const name of ["quickstart.json", "every-intent.json"]) {
      const text = (await readFile(new URL(name, folder), "utf8")).replace(/"\$schema".*\n/, "");
      expect((await checkOperationFile(new Blob([text]).stream())).issues).toEqual([]);
      expect(await underlined(text)).toEqual([]);
    }
  });
});

describe("The JSON Schema", () => {
  interface Node {
    [key: string]: unknown;
  }

  const schema = massOperationJsonSchema() as unknown as Node;

  function* nodesOf(value: unknown, path: string): Generator<{ node: Node; path: string }> {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) yield { node: value as Node, path };
    for (const [key, member] of Object.entries(value)) yield* nodesOf(member, `${path}/${key}`);
  }

  const nodes = [...nodesOf(schema, "")];

  it("describes every field in one sentence without a full stop", () => {
    const conditions = /\/if$/;
    const fields = nodes
      .filter(
        ({ node, path }) =>
          node.properties !== undefined && !conditions.test(path) && !path.endsWith("/properties"),
      )
      .flatMap(({ node, path }) =>
        Object.entries(node.properties as Record<string, Node>).map(([name, field]) => ({
          path: `${path}/${name}`,
          description: field.description,
        })),
      );
    expect(fields.length).toBeGreaterThan(500);
    const bad = fields.filter(({ description }) => !/^[A-Z][^\n]*[^.\s]$/.test(String(description ?? "")));
    expect(bad).toEqual([]);
  });

  it("describes each value of an enum", () => {
    const enums = nodes.filter(({ node, path }) => Array.isArray(node.enum) && !path.includes("/if/"));
    expect(enums.length).toBeGreaterThan(20);
    const bad = enums.filter(({ node }) => {
      const meanings = node.enumDescriptions as string[] | undefined;
      return (
        meanings?.length !== (node.enum as string[]).length ||
        meanings.some((text) => !/\S.*[^.]$/.test(text))
      );
    });
    expect(bad.map(({ path }) => path)).toEqual([]);
  });
});
