import { numbers, type Operation, type Words } from "./workload.ts";

const texts = numbers(1, 8).map((n) => `text${n}`);
const articles = numbers(1, 6).map((n) => `article${n}`);
const measures = numbers(1, 3).map((n) => `measure${n}`);

/** The first operations of each file: a shape of twenty components, and the documents' folder. */
export const contentStart: readonly Operation[] = [
  { intent: "shape/upsert", identifier: "bench-folder", name: "Folder", type: "folder" },
  {
    intent: "shape/upsert",
    identifier: "bench-document",
    name: "Document",
    type: "document",
    components: [
      ...texts.map((id) => ({ id, name: id, type: "singleLine" })),
      ...articles.map((id) => ({ id, name: id, type: "richText" })),
      ...measures.map((id) => ({ id, name: id, type: "numeric" })),
      { id: "shown", name: "Shown", type: "boolean" },
      { id: "written", name: "Written", type: "datetime" },
      { id: "facts", name: "Facts", type: "propertiesTable" },
    ],
  },
  {
    intent: "folder/upsert",
    _ref: "folder",
    resourceIdentifier: "bench-documents",
    name: "Documents",
    language: "en",
    shapeIdentifier: "bench-folder",
    tree: { parentId: "{{ defaults.rootItemId }}" },
  },
];

/** A document whose operation is 5 KB of JSON; `round` changes all its texts and numbers. */
export function documentUpsert(number: number, round: number, { folder }: Words): Operation {
  const sentence = (id: string) => `What ${id} of the document ${number} says in round ${round}. `;
  return {
    intent: "document/upsert",
    resourceIdentifier: `document-${number}`,
    name: `Document ${number}`,
    language: "en",
    shapeIdentifier: "bench-document",
    tree: { parentId: folder },
    components: [
      ...texts.map((componentId) => ({ componentId, singleLine: { text: sentence(componentId).trim() } })),
      ...articles.map((componentId) => ({
        componentId,
        richText: { html: `<p>${sentence(componentId).repeat(10).trim()}</p>` },
      })),
      ...measures.map((componentId, i) => ({ componentId, numeric: { number: number + round + i } })),
      { componentId: "shown", boolean: { value: round % 2 === 0 } },
      { componentId: "written", datetime: { datetime: `2026-01-0${1 + round}T12:00:00Z` } },
      { componentId: "facts", propertiesTable: { sections: [{ title: "Facts", properties: facts(round) }] } },
    ],
  };
}

const facts = (round: number) =>
  numbers(1, 8).map((n) => ({ key: `fact ${n}`, value: `${n} of round ${round}` }));
