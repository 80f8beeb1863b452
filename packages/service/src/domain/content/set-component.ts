import type { ComponentContent } from "@lading/schema/internal";
import { rejectAll } from "../../errors.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { CommandContext } from "../command.ts";
import { storedContent } from "../content-rules/orphans.ts";
import { type ComponentList, readableContent } from "./compiled-content.ts";
import { checkReplacing, keyIn } from "./keep.ts";

/** The options of the GraphQL mutation `updateComponent` beyond the payload of the intent. */
export interface ComponentOptions {
  /** Stores the content unchecked, as long as the shape has a component of that id and type. */
  disableContentValidation?: boolean | null;
}

type Writing = Pick<CommandContext, "unit" | "media" | "uploads">;

/**
 * An item's or variant's content with one component replaced, added or, when empty, removed. Orphaned content is
 * removed, too, as in every write of content. Rejects a component that does not fit the shape with
 * `ComponentContentValidationFailedError`.
 */
export async function withComponent(
  context: Writing,
  shape: ShapeRow,
  list: ComponentList,
  components: readonly ComponentContent[],
  { component, disableContentValidation }: ComponentOptions & { component: ComponentContent },
): Promise<ComponentContent[]> {
  const { componentId } = component;
  const kept = await readableContent(context.unit, shape, list, components);
  const next = disableContentValidation
    ? (
        await readableContent(
          context.unit,
          shape,
          list,
          [requireKnown(shape, list, component)],
          storedContent,
        )
      )[0]
    : await requireComponent(context, shape, list, component, kept);
  const index = kept.findIndex((other) => other.componentId === keyIn(shape[list], componentId));
  if (next === undefined) return kept.filter((_, i) => i !== index);
  return index === -1 ? [...kept, next] : kept.with(index, next);
}

/** Checks the component as a list of one, and converts error paths, as it is not in a list in the payload. */
async function requireComponent(
  { unit, media, uploads }: Writing,
  shape: ShapeRow,
  list: ComponentList,
  component: ComponentContent,
  stored: readonly ComponentContent[],
): Promise<ComponentContent | undefined> {
  const { components, errors } = await checkReplacing(unit, shape, list, [component], {
    complete: false,
    media,
    path: [],
    ...{ stored, uploads, fieldPathOf: () => ["component"] },
  });
  if (errors.length > 0)
    rejectAll(
      "ComponentContentValidationFailedError",
      errors.map((error) => ({ ...error, path: ["component", ...error.path.slice(1)] })),
    );
  return components[0];
}

function requireKnown(shape: ShapeRow, list: ComponentList, component: ComponentContent): ComponentContent {
  const { componentId } = component;
  const definition = shape[list].find(({ id }) => id === componentId);
  if (definition !== undefined && component[definition.type] !== undefined) return component;
  const [code, wanted] =
    definition === undefined
      ? ["UnknownComponent", "no such component"]
      : ["WrongComponentType", `it as a ${definition.type}`];
  const message = `The shape "${shape.identifier}" has ${wanted}: "${componentId}"`;
  return rejectAll("ComponentContentValidationFailedError", [{ code, message, path: ["component"] }]);
}
