import { moneyText } from "../../ui/format.ts";
import { amountText, Components } from "./components.tsx";
import type { Variant } from "./documents.ts";
import styles from "./item.module.css";

/** A product's variants with their attributes, prices and stock. */
export const Variants = ({ variants }: { variants: readonly Variant[] }) => {
  const havePlans = variants.some(
    ({ subscriptionPlans }) => subscriptionPlans && subscriptionPlans.length > 0,
  );
  return (
    <section className={styles.part}>
      <h2>Variants ({variants.length})</h2>
      <div className={styles.scroll}>
        <table className={styles.variants}>
          <thead>
            <tr>
              <th scope="col">SKU</th>
              <th scope="col">Name</th>
              <th scope="col">Attributes</th>
              <th scope="col">Prices</th>
              <th scope="col">Stock</th>
              {havePlans && <th scope="col">Plans</th>}
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <VariantRow key={variant.sku} variant={variant} havePlans={havePlans} />
            ))}
          </tbody>
        </table>
      </div>
      {variants.map(
        ({ sku, components }) =>
          components.length > 0 && (
            <section key={sku} className={styles.part}>
              <h3>
                Components of <code>{sku}</code>
              </h3>
              <Components components={components} />
            </section>
          ),
      )}
    </section>
  );
};

function VariantRow({ variant, havePlans }: { variant: Variant; havePlans: boolean }) {
  const { sku, name, isDefault, attributes, priceVariants, stockLocations, subscriptionPlans } = variant;
  return (
    <tr>
      <th scope="row">
        <code>{sku}</code>
        {isDefault && <small>default</small>}
      </th>
      <td>{name ?? "–"}</td>
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
          <span className={styles.muted}>{word}</span> <span className={styles.value}>{value}</span>
        </li>
      ))}
    </ul>
  );
}
