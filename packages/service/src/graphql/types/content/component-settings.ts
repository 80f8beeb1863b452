import type { ComponentDefinition, ComponentType } from "@lading/schema";

/** Settings that existing clients read without checking that the component has any. */
const expected: { readonly [T in ComponentType]?: object } = {
  contentChunk: { repeatable: false },
  itemRelations: {},
};

/** A component's settings in the type of its own, complete enough for existing clients; undefined when it has none. */
export function settingsOf({ type, config }: ComponentDefinition): object | undefined {
  const [own, always] = [config?.[type], expected[type]];
  return own || always ? { ...always, ...own } : undefined;
}
