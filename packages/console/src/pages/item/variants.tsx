import { moneyText } from "../../ui/format.ts";
import { HeadRow, WideTable } from "../../ui/table/plain-table.tsx";
import { Copy } from "../../ui/values/id.tsx";
import browseStyles from "../browse-model/browse-model.module.css";
import { Part } from "../browse-model/facts.tsx";
import { Image } from "../browse-model/image.tsx";
import { Name, Stored } from "../browse-model/stored.tsx";
import { amountText, Components } from "./components.tsx";
import type { Variant } from "./documents.ts";
import styles from "./item.module.css";

interface VariantsProps {
  variants: readonly Variant[];
  language: string;
  /** The SKU that was asked for. */
  chosen: string | undefined;
}

/** A product's variants with their attributes, prices and stock. */
export const Variants = ({ variants, language, chosen }: VariantsProps) => {
  const havePlans = variants.some(
    ({ subscriptionPlans }) => subscriptionPlans && subscriptionPlans.length > 0,
  );
  return (
    <Part title={`Variants (${variants.length})`}>
      <WideTable label={`Variants in ${language}`}>
        <HeadRow names={["Variant", "Attributes", "Prices", "Stock", ...(havePlans ? ["Plans"] : [])]} />
        <tbody>
          {variants.map((variant) => (
            <VariantRow
              key={variant.sku}
              variant={variant}
              language={language}
              isChosen={variant.sku === chosen}
              havePlans={havePlans}
            />
          ))}
        </tbody>
      </WideTable>
      {variants.map(
        ({ sku, components }) =>
          components.length > 0 && (
            <section key={sku}>
              <h3>
                Components of <code>{sku}</code>
              </h3>
              <Components components={components} />
            </section>
          ),
      )}
    </Part>
  );
};

interface VariantRowProps {
  variant: Variant;
  language: string;
  isChosen: boolean;
  havePlans: boolean;
}

function VariantRow({ variant, language, isChosen, havePlans }: VariantRowProps) {
  const {
    sku,
    displayName,
    images,
    isDefault,
    attributes,
    priceVariants,
    stockLocations,
    subscriptionPlans,
  } = variant;
  return (
    <tr className={isChosen ? styles.chosen : undefined}>
      <th scope="row">
        <span className={browseStyles.product}>
          <Image image={images?.[0]} size={48} alt="" />
          <span>
            {displayName && <Name name={displayName} language={language} id={sku} />}
            <small>
              <code>{sku}</code>
              <Copy text={sku} name={`SKU ${sku}`} />
              {isDefault && " default"}
            </small>
          </span>
        </span>
      </th>
      <td>
        <Lines lines={attributes?.map(({ attribute, value }) => [attribute, value])} />
      </td>
      <td>
        <Lines lines={priceVariants?.map((price) => [price.name ?? price.identifier, priceText(price)])} />
      </td>
      <td>
        <Lines lines={stockLocations?.map((stock) => [stock.name ?? stock.identifier, stockText(stock)])} />
      </td>
      {havePlans && <td>{subscriptionPlans?.map(({ identifier }) => identifier).join(", ") || "–"}</td>}
    </tr>
  );
}

type Price = NonNullable<Variant["priceVariants"]>[number];
type Stock = NonNullable<Variant["stockLocations"]>[number];

const priceText = ({ price, currency, tiers }: Price) =>
  [
    moneyText(price, currency),
    ...(tiers ?? []).map((tier) => `from ${amountText(tier.threshold)}: ${moneyText(tier.price, currency)}`),
  ].join(", ");

const stockText = ({ stock, settings }: Stock) => (settings?.unlimited ? "unlimited" : amountText(stock));

/** Labels with their values, one per line; a dash for none. */
function Lines({ lines }: { lines: [string, string][] | undefined }) {
  if (lines === undefined || lines.length === 0) return <>–</>;
  return (
    <ul className={styles.lines}>
      {lines.map(([word, value]) => (
        <li key={word}>
          <span className="muted">
            <Stored>{word}</Stored>
          </span>{" "}
          <span className={styles.value}>{value}</span>
        </li>
      ))}
    </ul>
  );
}
