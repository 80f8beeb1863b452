import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { check, positionOf } from "./support/files.ts";

interface Fitting {
  definition: { id: string; type: string } & Record<string, unknown>;
  content: { componentId: string } & Record<string, unknown>;
}

const piece = "parts";
const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 4 });

/** Components with content, some of them required; nested ones once in a piece, twice in a chunk, or one chosen. */
const listOf = (one: (id: string) => fc.Arbitrary<Fitting>) =>
  ids.chain((names) => fc.tuple(...names.map(one)));

function fitting(id: string, type: string, content: unknown, settings: object): Fitting {
  return { definition: { id, type, [type]: settings }, content: { componentId: id, [type]: content } };
}

const leaf = (id: string): fc.Arbitrary<Fitting> =>
  fc
    .tuple(fc.constantFrom("singleLine", "boolean", "location"), fc.boolean())
    .map(([type, required]) => fitting(id, type, contents[type], { required }));

const contents: Record<string, unknown> = {
  singleLine: { text: "{{ defaults.taskId }}" },
  boolean: { value: true },
  location: { lat: 1, long: 2 },
};

const structure = (id: string): fc.Arbitrary<Fitting> =>
  listOf(leaf).chain((inside) => {
    const definitions = inside.map(({ definition }) => definition);
    const given = inside.map(({ content }) => content);
    const chunk = { components: definitions, repeatable: true };
    return fc.constantFrom(
      fitting(id, "contentChunk", { chunks: [given, given] }, chunk),
      fitting(id, "componentChoice", given[0], {
        choices: [...definitions, { id: "OTHER", type: "boolean" }],
      }),
      fitting(id, "componentMultipleChoice", given, { choices: definitions }),
    );
  });

const ofPiece = (id: string, given: unknown) =>
  fc.constant(fitting(id, "piece", { identifier: piece, components: given }, { identifier: piece }));

const file = listOf((id) => fc.oneof(leaf(id), structure(id))).chain((inPiece) => {
  const given = inPiece.map(({ content }) => content);
  return fc.record({
    inPiece: fc.constant(inPiece),
    inShape: listOf((id) => fc.oneof(leaf(id), structure(id), ofPiece(id, given))),
  });
});

function textOf(
  { inPiece, inShape }: { inPiece: Fitting[]; inShape: Fitting[] },
  components: unknown,
): string {
  const lists = (list: Fitting[]) => ({ name: "n", components: list.map(({ definition }) => definition) });
  const operations = [
    { intent: "piece/upsert", identifier: piece, ...lists(inPiece) },
    { intent: "shape/upsert", identifier: "shape", type: "folder", ...lists(inShape) },
    {
      ...{ intent: "folder/create", language: "en", name: "n", shapeIdentifier: "shape" },
      ...{ tree: { parentId: "0123456789abcdef01234567" }, components },
    },
  ];
  return JSON.stringify({ version: "1.0.0", operations }, null, 1);
}

const contentOf = ({ inShape }: { inShape: Fitting[] }) => inShape.map(({ content }) => content);

function* idsIn(
  value: unknown,
  path: string,
): Generator<{ holder: { componentId: string }; pointer: string }> {
  if (value === null || typeof value !== "object") return;
  if ("componentId" in value)
    yield { holder: value as { componentId: string }, pointer: `${path}/componentId` };
  for (const [key, member] of Object.entries(value)) yield* idsIn(member, `${path}/${key}`);
}

describe("for any shape and piece of a file", () => {
  it("content that fits any shape of a file gives no issue", async () => {
    await fc.assert(
      fc.asyncProperty(file, async (made) => {
        expect((await check(textOf(made, contentOf(made)))).issues).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  it("one wrong component gives an issue at its position, and one more if something is then missing", async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.nat(), async (made, nth) => {
        const components = JSON.parse(JSON.stringify(contentOf(made)));
        const all = [...idsIn(components, "/operations/2/components")];
        const { holder, pointer } = all[nth % all.length]!;
        holder.componentId = "WRONG";
        const text = textOf(made, components);
        const { issues } = await check(text);
        const [wrong, ...others] = issues.toSorted(
          (a, b) => Number(b.code === "UnknownComponent") - Number(a.code === "UnknownComponent"),
        );
        expect(wrong).toMatchObject({ code: "UnknownComponent", pointer });
        expect(`${wrong?.line}:${wrong?.column}`).toBe(positionOf(text, '"WRONG"'));
        expect(others.length).toBeLessThan(2);
        for (const { code, pointer: list } of others) {
          expect(code).toBe("RequiredComponentMissing");
          expect(pointer.startsWith(`${list}/`)).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
