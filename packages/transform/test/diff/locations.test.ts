import { expect, test } from "vitest";
import { difference, document, id, type Written } from "./dump-of.ts";

const folder: Written = { ...document(1, "Shelf", { shapeIdentifier: "shelf" }), intent: "folder/upsert" };
const inFolder = { tree: { parentId: id(1) } };
const shortcut = (itemId: string, position: number): Written => ({
  intent: "item/paths/addShortcuts",
  ...{ itemId, shortcuts: [{ parentId: id(1), position }] },
});

test("positions count the folder's content at that time: removed shortcuts are gone, unless kept", () => {
  const [outer, a, c] = [document(9, "X"), document(2, "a", inFolder), document(3, "c", inFolder)];
  // The folder shows X, a, Y, c.
  const before = [folder, outer, document(8, "Y"), a, c, shortcut(id(9), 1), shortcut(id(8), 3)];
  const after = [folder, outer, document(8, "Y"), a, document(4, "b", inFolder), c, shortcut(id(8), 4)];
  const locationOf = (deletes: boolean) => {
    const { operations } = difference(before, after, deletes);
    return operations.find(({ itemId }) => itemId === id(4))?.tree;
  };
  expect(locationOf(true)).toEqual({ parentId: id(1), position: 2 });
  expect(locationOf(false)).toEqual({ parentId: id(1), position: 3 });
});
