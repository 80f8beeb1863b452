import { z } from "zod";
import { componentDefinition } from "../components/component.ts";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";

/** An update takes the whole definition: components it does not list are dropped. */
const piecePayload = part((s) =>
  z.object({
    identifier: s.field("Identifier, by which an upsert finds the definition", s.keyBetween(2, 64)),
    name: s.field("Name that people see", s.filledName),
    components: s.field(
      "All components, in order; a component that is not listed is dropped",
      z.array(componentDefinition(s)).nullish(),
    ),
  }),
);

/** A shape's type cannot be changed, so an update has none. */
const updateShape = part((s) =>
  piecePayload(s).extend({
    meta: s.field("A key and value of your own", keyValue(s).nullish()),
    variantComponents: s.field(
      "All components of the variants of products, in order",
      z.array(componentDefinition(s)).nullish(),
    ),
  }),
);

/** Also for an upsert: the identifier says whether the shape exists. */
const createShape = part((s) =>
  updateShape(s).extend({
    type: s.field(
      "Kind of the items that have the shape; it cannot be changed",
      s.oneOf({
        product: "products, which have variants",
        document: "documents",
        folder: "folders, which have children",
      }),
    ),
  }),
);

const deletePiece = part((s) =>
  z.object({ identifier: s.field("Identifier of the piece to delete", s.filledText) }),
);

const deleteShape = part((s) =>
  z.object({ identifier: s.field("Identifier of the shape to delete", s.filledText) }),
);

const renameComponent = part((s) =>
  z.object({
    identifier: s.field("Identifier of the shape or piece", s.filledText),
    from: s.field(
      "Id of the component; inside a chunk or a choice after the id of that: `rows.height`. With the list in front " +
        "if a shape has it in both: `variantComponents.width`",
      s.filledText,
    ),
    to: s.field("The new id, which no component next to it has", s.filledKey),
  }),
);

const definitionUpdated = ["id.identifier", "identifier", "type", "name"];

export const contentModelIntents = {
  "piece/create": {
    payload: piecePayload,
    about: "Creates a piece",
    subject: "piece",
    result: ["identifier"],
  },
  "piece/update": {
    payload: piecePayload,
    about: "Replaces the definition of a piece",
    subject: "piece",
    result: definitionUpdated,
  },
  "piece/upsert": {
    payload: piecePayload,
    about: "Creates a piece or replaces its definition",
    subject: "piece",
    actsAs: ["piece/create", "piece/update"],
  },
  "piece/delete": {
    payload: deletePiece,
    about: "Deletes a piece that no shape or piece uses",
    subject: "piece",
    ours: true,
    result: ["identifier"],
  },
  "piece/component/rename": {
    payload: renameComponent,
    about: "Gives a component of a piece another id and keeps its content",
    subject: "piece",
    ours: true,
    result: ["identifier", "renamed.from", "renamed.to"],
  },
  "shape/create": {
    payload: createShape,
    about: "Creates a shape",
    subject: "shape",
    result: ["identifier"],
  },
  "shape/update": {
    payload: updateShape,
    about: "Replaces the definition of a shape",
    subject: "shape",
    result: definitionUpdated,
  },
  "shape/upsert": {
    payload: createShape,
    about: "Creates a shape or replaces its definition",
    subject: "shape",
    actsAs: ["shape/create", "shape/update"],
  },
  "shape/delete": {
    payload: deleteShape,
    about: "Deletes a shape that no item has",
    subject: "shape",
    ours: true,
    result: ["identifier"],
  },
  "shape/component/rename": {
    payload: renameComponent,
    about: "Gives a component of a shape another id and keeps its content",
    subject: "shape",
    ours: true,
    result: ["identifier", "renamed.from", "renamed.to"],
  },
} as const satisfies IntentRows;
