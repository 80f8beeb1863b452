import type { ComponentContent } from "@lading/schema/internal";
import type { ItemContentRow } from "../../../storage/collections/item-contents.ts";
import type { VariantCopy } from "../../../storage/collections/published-variants.ts";
import type { CheckedContent } from "./checked-content.ts";
import type { DumpedItem } from "./item-operations.ts";
import type { Agree } from "./shared-content.ts";

type Contents = readonly ComponentContent[];

/** An item whose languages agree in shared content: in drafts, published versions, and the variants of both. */
export function agreedItem(dumped: DumpedItem, { agreeOf }: CheckedContent): DumpedItem {
  const { item, drafts, published, variants } = dumped;
  if (drafts.length < 2 && published.length < 2) return dumped;
  const agree = agreeOf(item);
  return {
    ...dumped,
    drafts: agreeingRows(drafts, agree),
    published: agreeingCopies(agreeingRows(published, agree), agree),
    variants: variants.map((row) => {
      const languages = drafts.map(({ language }) => language);
      const contents = agree("variantComponents", languages.map(componentsOf(row)));
      return languages.reduce((next, language, i) => withComponents(next, language, contents[i]!), row);
    }),
  };
}

function agreeingRows(rows: readonly ItemContentRow[], agree: Agree): ItemContentRow[] {
  const contents = agree(
    "components",
    rows.map(({ components }) => components),
  );
  return rows.map((row, i) => ({ ...row, components: [...contents[i]!] }));
}

/** Published versions, with all copies of a variant in agreement. */
function agreeingCopies(rows: readonly ItemContentRow[], agree: Agree): ItemContentRow[] {
  const copies = rows.flatMap(({ language, variants }) =>
    (variants ?? []).map((copy) => ({ language, copy })),
  );
  const next = new Map<VariantCopy, VariantCopy>();
  for (const group of Map.groupBy(copies, ({ copy }) => copy.id).values()) {
    const contents = agree(
      "variantComponents",
      group.map(({ language, copy }) => componentsOf(copy)(language)),
    );
    for (const [i, { language, copy }] of group.entries())
      next.set(copy, withComponents(copy, language, contents[i]!));
  }
  return rows.map((row) => ({ ...row, variants: row.variants?.map((copy) => next.get(copy)!) ?? null }));
}

const componentsOf =
  ({ contents }: VariantCopy) =>
  (language: string): Contents =>
    contents[language]?.components ?? [];

function withComponents<Variant extends VariantCopy>(
  variant: Variant,
  language: string,
  components: Contents,
): Variant {
  const { [language]: own = { name: null, attributes: [] } } = variant.contents;
  return {
    ...variant,
    contents: { ...variant.contents, [language]: { ...own, components: [...components] } },
  };
}
