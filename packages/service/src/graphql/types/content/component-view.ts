import type { ComponentContent, ComponentDefinition, ComponentType } from "@lading/schema/internal";
import { definitionOfContent } from "../../../domain/content-rules/orphans.ts";
import type { ItemScope } from "../../../storage/queries/items.ts";

/** The language and version of components, and their definitions. */
export interface ComponentScope extends ItemScope {
  definitions(): Promise<readonly ComponentDefinition[]>;
}

/** A component that has content, as resolvers see it. */
export interface ComponentView<Type extends ComponentType = ComponentType> {
  componentId: string;
  type: Type;
  /** The content under the type's name. */
  value: ComponentContent[Type];
  scope: ComponentScope;
}

/** The components of a list that have content, in order, without orphaned ones. */
export async function componentViews(
  contents: readonly ComponentContent[] | null | undefined,
  scope: ComponentScope,
): Promise<ComponentView[]> {
  if (!contents || contents.length === 0) return [];
  const definitions = await scope.definitions();
  return contents.flatMap((content) => {
    const definition = definitionOfContent(content, definitions);
    if (definition === undefined) return [];
    const { id, type } = definition;
    return [{ componentId: id, type, value: content[type], scope }];
  });
}

/** The definition of a component in its shape or piece; undefined if it was removed. */
export async function definitionOf({
  componentId,
  scope,
}: ComponentView): Promise<ComponentDefinition | undefined> {
  return (await scope.definitions()).find(({ id }) => id === componentId);
}

/** The scope inside a component: the definitions come from the component's own. */
export function innerScope(
  view: ComponentView,
  definitions: (own: ComponentDefinition) => readonly ComponentDefinition[] | undefined,
): ComponentScope {
  return {
    ...view.scope,
    definitions: async () => {
      const own = await definitionOf(view);
      return (own && definitions(own)) ?? [];
    },
  };
}
