import type { ComponentConfig, ComponentContent } from "../components/component.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { oneOf, quoted } from "../problems/phrases.ts";
import { add, type Report } from "./report.ts";

type Content = NonNullable<ComponentContent["propertiesTable"]>;
type Config = Partial<NonNullable<ComponentConfig["propertiesTable"]>>;
type Section = NonNullable<Config["sections"]>[number];

/**
 * Checks that only the shape's sections and keys are used, if it has any. A section without a title is
 * matched by index.
 */
export function checkPropertiesTable(
  { sections = [] }: Content,
  { sections: configured = [] }: Config,
  path: JsonPath,
  report: Report,
): void {
  for (const [i, { title, properties = [] }] of sections.entries()) {
    const at = [...path, "sections", i];
    const known = title === undefined ? configured[i] : configured.find((section) => section.title === title);
    if (known === undefined)
      add(report, "UnknownSection", `${unknownSection(title, i)}; it has ${sectionsOf(configured)}`, at);
    else checkKeys(known.keys, properties, [...at, "properties"], report);
  }
}

function unknownSection(title: string | undefined, i: number): string {
  return `The shape has no section ${title === undefined ? `at index ${i}` : quoted(title)}`;
}

function sectionsOf(configured: readonly Section[]): string {
  const titles = configured.flatMap(({ title }) => title ?? []);
  return titles.length > 0 ? oneOf(titles) : `${configured.length} without titles`;
}

function checkKeys(
  known: readonly string[],
  properties: readonly { key: string }[],
  path: JsonPath,
  report: Report,
): void {
  if (known.length === 0) return;
  for (const [i, { key }] of properties.entries())
    if (!known.includes(key))
      add(report, "UnknownPropertyKey", `${quoted(key)} is not ${oneOf(known)}`, [...path, i, "key"]);
}
