import {
  type ComponentContent,
  type ComponentDefinition,
  type ComponentType,
  componentTypes,
  type NestableContent,
} from "@lading/schema";
import type { ItemScope } from "../../storage/queries/items.ts";

/** Where components stand: in which language and version, and under which definitions. */
export interface ComponentScope extends ItemScope {
  definitions(): Promise<readonly ComponentDefinition[]>;
}

/** A component that has content, as resolvers see it. */
export interface ComponentView {
  componentId: string;
  type: ComponentType;
  /** What stands under the type's name. */
  value: unknown;
  scope: ComponentScope;
}

/** The components of a list that have content, in its order. */
export function componentViews(
  contents: readonly (ComponentContent | NestableContent)[] | null | undefined,
  scope: ComponentScope,
): ComponentView[] {
  return (contents ?? []).flatMap((content) => componentView(content, scope) ?? []);
}

/** A component, or undefined when it has no content. */
export function componentView(
  content: ComponentContent | NestableContent,
  scope: ComponentScope,
): ComponentView | undefined {
  const values = content as Partial<Record<ComponentType, unknown>>;
  const type = componentTypes.find((name) => values[name] !== undefined && values[name] !== null);
  return type && { componentId: content.componentId, type, value: values[type], scope };
}

/** What the shape or piece says about a component; undefined when it no longer has it. */
export async function definitionOf({
  componentId,
  scope,
}: ComponentView): Promise<ComponentDefinition | undefined> {
  return (await scope.definitions()).find(({ id }) => id === componentId);
}

/** The scope of what stands inside a component: the definitions come from the component's own. */
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
