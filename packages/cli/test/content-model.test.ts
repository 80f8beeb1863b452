import { type ComponentDefinition, type ContentModel, contentModelSteps } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { contentModelFile } from "../src/content-model/file.ts";

const uses = (identifier: string) => component({ type: "piece", config: { piece: { identifier } } });
const accepts = (...acceptedShapeIdentifiers: string[]) =>
  component({ type: "itemRelations", config: { itemRelations: { acceptedShapeIdentifiers } } });

function component(definition: Pick<ComponentDefinition, "type" | "config">): ComponentDefinition {
  return { id: "c", name: "C", ...definition };
}

const piece = (identifier: string, ...components: ComponentDefinition[]) => ({
  identifier,
  name: identifier,
  components,
});
const shape = (identifier: string, ...components: ComponentDefinition[]) => ({
  ...piece(identifier, ...components),
  type: "product" as const,
});

/** `care` in its place, `care without components` where a cycle is broken. */
function orderOf(model: ContentModel): string[] {
  return contentModelSteps(model).map(({ definition }) => {
    const missing = (["components", "variantComponents"] as const).filter(
      (list) =>
        !(list in definition) && list in (model.shapes.find(isSame) ?? model.pieces.find(isSame) ?? {}),
    );
    return [definition.identifier, ...missing.map((list) => `without ${list}`)].join(" ");

    function isSame({ identifier }: { identifier: string }) {
      return identifier === definition.identifier;
    }
  });
}

test("a dump lists pieces and shapes before those that use them, also within chunks", () => {
  const chunk = component({ type: "contentChunk", config: { contentChunk: { components: [uses("b")] } } });
  const model = {
    shapes: [shape("s", accepts("t")), shape("t", chunk)],
    pieces: [piece("a", uses("b")), piece("b")],
  };
  expect(orderOf(model)).toEqual(["b", "a", "t", "s"]);
});

test("a dump lists a shape that accepts itself first without that list, then whole", () => {
  const self = { ...shape("s", uses("a")), variantComponents: [accepts("s")] };
  expect(orderOf({ shapes: [self], pieces: [piece("a")] })).toEqual([
    "a",
    "s without variantComponents",
    "s",
  ]);
});

test("a dump breaks a cycle through a piece once", () => {
  const model = { shapes: [shape("s", uses("a"))], pieces: [piece("a", accepts("s"))] };
  expect(orderOf(model)).toEqual(["a without components", "s", "a"]);
});

test("a dump leaves out absent lists: an empty one would empty what a tenant has", () => {
  const { operations } = contentModelFile(
    { shapes: [shape("s", accepts("s"))], pieces: [] },
    { itemIds: true },
  );
  expect(operations[0]).toEqual({ intent: "shape/upsert", identifier: "s", name: "s", type: "product" });
});

test("a dump does not order by a reference to something that does not exist", () => {
  expect(orderOf({ shapes: [shape("s", uses("gone"), accepts("gone"))], pieces: [] })).toEqual(["s"]);
});

test("a dump orders a thousand pieces within each other", () => {
  const pieces = Array.from({ length: 1_000 }, (_, i) =>
    piece(`p${i}`, ...(i < 999 ? [uses(`p${i + 1}`)] : [])),
  );
  expect(orderOf({ shapes: [], pieces })[0]).toBe("p999");
});

test("a dump without item ids leaves out quick-select folders, and keeps texts with braces", () => {
  const quickSelect = { folders: [{ folderId: "0".repeat(24) }] };
  const definition = component({ type: "itemRelations", config: { itemRelations: { quickSelect } } });
  const model = { shapes: [shape("s", { ...definition, name: "{{ no template }}" })], pieces: [] };
  expect(contentModelFile(model, { itemIds: false }).operations[0]).toMatchObject({
    components: [
      { name: "\\{{ no template }}", config: { itemRelations: { quickSelect: { folders: [] } } } },
    ],
  });
  expect(contentModelFile(model, { itemIds: true }).operations[0]).toMatchObject({
    components: [{ config: { itemRelations: { quickSelect } } }],
  });
});
