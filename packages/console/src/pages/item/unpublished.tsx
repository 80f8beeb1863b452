import type { ShownItem } from "./documents.ts";
import styles from "./item.module.css";

/** Says where an item's draft differs from its published version. */
export function Unpublished({ parts }: { parts: readonly string[] }) {
  if (parts.length === 0) return null;
  return (
    <p className={styles.unpublished}>
      The draft has unpublished changes: in its {new Intl.ListFormat("en-GB").format(parts)}.
    </p>
  );
}

/** The parts of an item in which its draft differs from its published version. */
export function unpublishedParts(draft: ShownItem, published: ShownItem): string[] {
  const before = partsOf(published);
  return Object.entries(partsOf(draft)).flatMap(([part, value]) =>
    JSON.stringify(value) === JSON.stringify(before[part]) ? [] : part,
  );
}

const partsOf = (item: ShownItem): Record<string, unknown> => ({
  name: item.name,
  components: item.components,
  ...("variants" in item && { variants: item.variants }),
});
