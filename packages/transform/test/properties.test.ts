import { usesOf } from "@lading/schema/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/extent.ts";
import { xlsxOf } from "../../cli/src/export/xlsx.ts";
import { SeenKeys } from "../../schema/src/seen-keys.ts";
import { renderPayload } from "../../service/src/templates/render-payload.ts";
import { replacer } from "../src/cells/cell.ts";
import { DataIssues } from "../src/issues.ts";
import { tokensOf, writtenCell } from "../src/map/cells.ts";
import { compileMap } from "../src/map/compile-map.ts";
import { operationsOf } from "../src/operations.ts";
import { firstRows } from "../src/read/first-rows.ts";

/** Compiles a map whose operation has this text, and fills it in with cells. */
function filling(text: string): (cells: Record<string, unknown>) => { value?: string; issues: DataIssues } {
  const operation = { intent: "customer/upsert", value: text };
  const before = [{ intent: "shape/upsert", _ref: "shop", identifier: "shop", name: "A", type: "product" }];
  const { map, problems } = compileMap(JSON.stringify({ before, operations: [operation] }));
  if (map === undefined) expect.fail(JSON.stringify(problems));
  return (cells) => {
    const issues = new DataIssues();
    const row = { line: 2, cells: map.columns.names.map((name) => cells[name]) };
    const [made] = operationsOf([row], map, issues);
    return { ...(made !== undefined && { value: JSON.parse(made).value }), issues };
  };
}

/** Cells of characters that are special in templates. */
const cell = fc.string({ unit: fc.constantFrom(..."{}\\\"'~!#[] \nab1."), maxLength: 8 });

/** Renders a text as a run does, where the operation `shop` and a row have results. */
async function rendered(text: string, row: object): Promise<unknown> {
  const results: Record<string, object> = { shop: { id: " \n" }, row };
  const lookup = (name: string) =>
    results[name] && ({ index: 0, status: "success", output: results[name] } as const);
  const helpers = {
    upload: (args: unknown[]) => JSON.stringify(args),
    fetchItemById: ([id]: unknown[]) => ({ id }),
  };
  const scope = { lookup, names: () => [], defaults: {}, helpers } as never;
  const { payload } = await renderPayload({ value: `:${text}` }, scope);
  return (payload as { value: unknown }).value;
}

const texts = [
  "[[a]]x",
  "{ [[a]][[b]] }",
  "\\\\[[a]]",
  "{{ shop.id }}[[a]]",
  "[[a]]{{ shop.id }}[[b]]",
  "{{ upload [[a]] }}",
  "{{ upload [[a]] [[b]] }}-[[b]]",
  "{{ valueOf (fetchItemById [[a]]) 'id' }} [[b]]",
  "  {{~ shop.id ~}}  [[a]] x [[b]]\n  {{~ shop.id }}",
  "{{#if [[a]]}}[[b]]{{else}}{{ shop.id }}{{/if}}",
  "[[a]]\n{{#if shop.id}} \n [[b]]\n{{/if}}  [[a]]\n",
  "\n  {{! note }}[[a]]\n",
];

test.each(texts)("the run renders a text with cells as if it read the row: %j", async (text) => {
  const fill = filling(text);
  const asPath = text.replace(/\{\{.*?\}\}|\[\[(\w)\]\]/g, (part, name) =>
    name === undefined ? part.replace(/\[\[(\w)\]\]/g, "row.$1") : `{{ row.${name} }}`,
  );
  const property = fc.asyncProperty(cell, cell, async (a, b) => {
    const { value, issues } = fill({ a, b });
    if (value === undefined) expect(issues.kept).toMatchObject([{ code: "UnfilledTemplate" }]);
    else expect(await rendered(value, {})).toBe(await rendered(asPath, { a, b }));
  });
  await fc.assert(property, { numRuns: runs(300) });
});

test("a text of a map without [[ stays as it is", () => {
  const some = fc.string({ unit: fc.constantFrom(..."{}\\\"'~!#[]/^$ \nab1."), maxLength: 20 });
  const plain = some.filter((text) => !text.includes("[[") && isPlain(text));
  fc.assert(
    fc.property(plain, (text) => {
      expect(filling(text)({}).value).toBe(text);
    }),
    { numRuns: runs(500) },
  );
});

/** True for a text with templates that parse and read nothing. */
function isPlain(text: string): boolean {
  try {
    return usesOf(text).references.length === 0;
  } catch {
    return false;
  }
}

test("every name of a column and key can be written as a cell", () => {
  const name = fc.string({ unit: fc.constantFrom(...'[]\\#^/$ ab."{}'), maxLength: 6 });
  const path = fc.record({
    kind: fc.constantFrom("column" as const, "constant" as const),
    name,
    keys: fc.array(name, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(path, (path) => {
      expect([...tokensOf(writtenCell(path))]).toEqual([{ type: "cell", path }]);
    }),
    { numRuns: runs(1_000) },
  );
});

test("the memory of keys grows", () => {
  const seen = new SeenKeys();
  for (let line = 1; line <= 5_000; line++) expect(seen.add(`key ${line}`, line)).toBeUndefined();
  for (let line = 1; line <= 5_000; line++) expect(seen.add(`key ${line}`, 9_999)).toBe(line);
});

test("seen keys are found with their first line, whatever their number", () => {
  const property = fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3_000 }), (keys) => {
    const seen = new SeenKeys();
    const lines = new Map<string, number>();
    for (const [index, key] of keys.entries()) {
      expect(seen.add(key, index + 1)).toBe(lines.get(key));
      if (!lines.has(key)) lines.set(key, index + 1);
    }
  });
  fc.assert(property, { numRuns: runs(50) });
});

test("$distinct makes each value once, before the operations that read it", () => {
  const columns = { tags: { type: "list", separator: "|" } };
  const operations = [
    {
      intent: "customer/upsert",
      identifier: "row",
      type: "individual",
      firstName: "[[#tags]][[tags]] [[/tags]]-",
    },
    { $distinct: "tags", intent: "customer/group/upsert", identifier: "[[tags]]", name: "G" },
  ];
  const { map } = compileMap(JSON.stringify({ columns, operations }));
  const tags = fc.array(fc.constantFrom("a", "b", "c", "d", " a", "", "e "), { maxLength: 5 });
  const property = fc.property(fc.array(fc.array(tags, { minLength: 1, maxLength: 3 })), (groups) => {
    const seen = map!.operations.map(() => new SeenKeys());
    const made: string[] = [];
    for (const [index, group] of groups.entries()) {
      const rows = group.map((tags) => ({ line: index + 2, cells: [tags.join("|")] }));
      for (const text of operationsOf(rows, map!, new DataIssues(), seen)) {
        const { intent, identifier, firstName } = JSON.parse(text);
        if (intent === "customer/group/upsert") made.push(identifier);
        else
          for (const tag of firstName.slice(0, -1).trim().split(" "))
            if (tag !== "") expect(made).toContain(tag);
      }
    }
    const wanted = new Set(groups.flat(2).map((tag) => tag.trim()));
    wanted.delete("");
    expect(made).toEqual([...wanted]);
  });
  fc.assert(property, { numRuns: runs(300) });
});

test("texts are replaced in one pass, the longest that fits first", () => {
  const part = fc.string({ unit: fc.constantFrom(..."ab."), minLength: 1, maxLength: 2 });
  const property = fc.property(fc.dictionary(part, part, { maxKeys: 4 }), cell, (texts, written) => {
    let [rest, expected] = [written, ""];
    while (rest !== "") {
      const fitting = Object.keys(texts).filter((text) => rest.startsWith(text));
      const longest = fitting.sort((one, other) => other.length - one.length)[0];
      expected += longest === undefined ? rest[0] : texts[longest];
      rest = rest.slice(longest?.length ?? 1);
    }
    expect(replacer(texts)(written)).toBe(expected);
  });
  fc.assert(property, { numRuns: runs(500) });
});

test("a workbook has the values that were written, numbers of more than 15 digits as text", async () => {
  const special = fc.constantFrom(..."_x005FaD \t\n\r\0\u0085\u2028\ufeff\ufffe<>&\"']=é€😀");
  const number = fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((n) => n || 0);
  const value = fc.oneof(fc.string({ unit: special }), fc.string({ unit: "binary" }), number, fc.boolean());
  const row = fc.tuple(fc.constant("row"), value, value);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
      async function* written() {
        yield ["a", "b", "c"];
        yield* rows;
      }
      const options = { format: "xlsx", encoding: "utf-8" } as const;
      const read = await firstRows(xlsxOf("Sheet", written()), options, rows.length);
      const isLong = (cell: unknown) =>
        typeof cell === "number" && !(Math.abs(cell) < 1e15 && Number(cell.toPrecision(15)) === cell);
      expect(read.rows.map(({ cells }) => cells)).toEqual(
        rows.map((cells) => cells.map((cell) => (isLong(cell) ? String(cell) : cell))),
      );
    }),
    { numRuns: runs(50) },
  );
});

test.each([
  [32_767, "text"],
  [32_768, "row 2 has a cell of 32768 characters"],
])("a cell of %i characters: %s", async (length, result) => {
  async function* written() {
    yield ["a"];
    yield ["x".repeat(length)];
  }
  const read = firstRows(xlsxOf("Sheet", written()), { format: "xlsx", encoding: "utf-8" }, 1);
  if (result === "text") expect(String((await read).rows[0]?.cells[0])).toHaveLength(length);
  else await expect(read).rejects.toThrow(result);
});
