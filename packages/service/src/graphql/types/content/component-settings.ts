import type { ComponentDefinition, ComponentType } from "@lading/schema";

/** Settings that existing clients read without asking whether the component has any. */
const expected: { readonly [T in ComponentType]?: object } = {
  contentChunk: { repeatable: false },
  itemRelations: {},
};

/** The settings of a component of its own type, complete enough for existing clients; undefined when it has none. */
export function settingsOf({ type, config }: ComponentDefinition): object | undefined {
  const [own, always] = [config?.[type], expected[type]];
  return own || always ? { ...always, ...own } : undefined;
}
