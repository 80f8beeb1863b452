import { check } from "./files.ts";

export type Operation = Record<string, unknown>;

export const id = "0123456789abcdef01234567";

export const required = (name: string) => ({
  id: name,
  type: "singleLine",
  config: { singleLine: { required: true } },
});

export const plain = (name: string) => ({ id: name, type: "singleLine" });

export const line = (componentId: string) => ({ componentId, singleLine: { text: "x" } });

export const shape = (more: Operation = {}) => ({
  intent: "shape/upsert",
  identifier: "article",
  name: "Article",
  type: "document",
  components: [required("intro"), plain("body")],
  ...more,
});

export const created = (components: unknown, more: Operation = {}) => ({
  intent: "document/create",
  language: "en",
  name: "n",
  shapeIdentifier: "article",
  tree: { parentId: id },
  components,
  ...more,
});

export const upserted = (components: unknown, more: Operation = {}) =>
  created(components, { intent: "document/upsert", resourceIdentifier: "a", ...more });

export const text = (operations: readonly Operation[]) =>
  JSON.stringify({ version: "1.0.0", operations }, null, 1);

/** The issues as `code pointer`; each must be a warning. */
export async function issuesWith(...operations: Operation[]): Promise<string[]> {
  const { issues } = await check(text(operations));
  return issues.map(
    ({ severity, code, pointer }) => `${severity === "warning" ? "" : severity}${code} ${pointer}`,
  );
}
