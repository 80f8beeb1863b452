import type { ResultOf } from "../../api/graphql.ts";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import styles from "../browse-model/browse-model.module.css";
import { Fact, Facts, Part } from "../browse-model/facts.tsx";
import { CustomerLink, SkuLink } from "../browse-model/links.tsx";
import type { priceListDocument } from "./commerce-documents.ts";

type PriceList = Extract<
  NonNullable<ResultOf<typeof priceListDocument>["priceList"]>,
  { identifier: string }
>;

/** The changes that a price list makes, its variants and its audience. */
export function PriceListParts({ list }: { list: PriceList }) {
  const { identifier, modifierType, priceVariants, selectedProductVariants: selected, targetAudience } = list;
  const modifiers = priceVariants.map(
    (each) => `${each.identifier}: ${modifierText(each.modifier, modifierType)}`,
  );
  return (
    <>
      <Facts>
        <Fact name="Identifier">
          <Id id={identifier} name="identifier" />
        </Fact>
        <Fact name="Price changes">{modifiers.join(", ")}</Fact>
        <Fact name="From">
          <Time at={list.startDate} />
        </Fact>
        <Fact name="Until">
          <Time at={list.endDate} />
        </Fact>
        <Fact name="Changed">
          <Time at={list.updatedAt} />
        </Fact>
      </Facts>
      <Part title="Variants">
        {selected.type === "ALL_SKUS" ? (
          "All."
        ) : (
          <span className={styles.list}>
            {selected.variants?.map(({ sku }) => (
              <SkuLink key={sku} sku={sku} isStop />
            ))}
          </span>
        )}
      </Part>
      <Part title="Audience">
        {targetAudience.type === "EVERYONE" ? "Everyone." : <Audience {...targetAudience} />}
      </Part>
    </>
  );
}

function modifierText(modifier: number, type: PriceList["modifierType"]): string {
  if (type === "ABSOLUTE") return `${modifier}`;
  const signed = `${modifier < 0 ? "−" : "+"}${Math.abs(modifier)}`;
  return type === "PERCENTAGE" ? `${signed} %` : signed;
}

function Audience({
  customerGroupIdentifiers,
  customerIdentifiers,
  marketIdentifiers,
}: Omit<PriceList["targetAudience"], "type">) {
  return (
    <Facts>
      <Fact name="Customer groups">{customerGroupIdentifiers?.join(", ")}</Fact>
      <Fact name="Markets">{marketIdentifiers?.join(", ")}</Fact>
      {customerIdentifiers && customerIdentifiers.length > 0 && (
        <Fact name="Customers">
          <span className={styles.list}>
            {customerIdentifiers.map((identifier) => (
              <CustomerLink key={identifier} customer={{ identifier }} isStop />
            ))}
          </span>
        </Fact>
      )}
    </Facts>
  );
}
