import { useQuery } from "@tanstack/react-query";
import { success } from "../../api/errors.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { classNames } from "../../ui/class-names.ts";
import { moneyText } from "../../ui/format.ts";
import { WideTable } from "../../ui/table/plain-table.tsx";
import styles from "../browse-model/browse-model.module.css";
import { Part } from "../browse-model/facts.tsx";
import { Image } from "../browse-model/image.tsx";
import { SkuLink } from "../browse-model/links.tsx";
import { Stored } from "../browse-model/stored.tsx";
import { type Line, lineVariantsDocument, type Order } from "./documents.ts";

export function Lines({ order: { cart, total } }: { order: Order }) {
  const variants = useVariants(cart.flatMap(({ sku }) => sku ?? []));
  return (
    <Part title={`Lines (${cart.length})`}>
      <WideTable label="Lines">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" className={styles.figure}>
              Quantity
            </th>
            <th scope="col" className={classNames(styles.figure, styles.extra)}>
              Price
            </th>
            <th scope="col" className={classNames(styles.figure, styles.extra)}>
              Tax
            </th>
            <th scope="col" className={styles.figure}>
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {cart.map((line, i) => (
            // Lines have no key of their own, and an order is replaced as a whole.
            <LineRow key={i} line={line} variant={variants.get(line.sku ?? "")} />
          ))}
        </tbody>
        {total !== null && <Totals total={total} />}
      </WideTable>
    </Part>
  );
}

/** The variants that still exist, by their SKU. */
function useVariants(skus: readonly string[]) {
  const tenant = useTenant();
  const wanted = [...new Set(skus)].slice(0, 1_000);
  const { data } = useQuery({
    queryKey: [entitiesKey, tenant, "variants of lines", wanted],
    enabled: wanted.length > 0,
    queryFn: async ({ signal }) => {
      const answer = await request(tenant, lineVariantsDocument, { skus: wanted }, signal);
      return success(answer.productVariants).edges.map(({ node }) => node);
    },
  });
  return new Map(data?.map((variant) => [variant.sku, variant]));
}

type Variant = ReturnType<typeof useVariants> extends Map<string, infer Value> ? Value : never;

function LineRow({ line, variant }: { line: Line; variant: Variant | undefined }) {
  const { name, sku, quantity, price, subTotal, subscription, type } = line;
  const isOwnType = type !== null && type !== "standard";
  return (
    <tr>
      <th scope="row">
        <span className={styles.product}>
          <Image image={variant?.images?.[0]} size={40} alt="" />
          <span>
            <Stored>{name}</Stored>
            <small>
              {sku !== null && (variant === undefined ? <code>{sku}</code> : <SkuLink sku={sku} isStop />)}
              {isOwnType && ` ${type}`}
              {subscription && ` every ${subscription.period} ${subscription.unit}`}
            </small>
          </span>
        </span>
      </th>
      <td className={styles.figure}>{quantity}</td>
      <td className={classNames(styles.figure, styles.extra)}>
        {amountOf(price)}
        {price?.discounts?.map(({ percent }) => (
          <small key={percent}>−{percent} %</small>
        ))}
      </td>
      <td className={classNames(styles.figure, styles.extra)}>
        {taxText(price?.tax ?? subTotal?.tax ?? null, price?.currency)}
      </td>
      <td className={styles.figure}>{amountOf(subTotal ?? sumOf(line))}</td>
    </tr>
  );
}

interface Amount {
  gross: number | null;
  net: number | null;
  currency: string;
}

/** The gross amount, or else the net one. */
function amountOf(amount: Amount | null): string {
  if (amount === null) return "–";
  if (amount.gross !== null) return moneyText(amount.gross, amount.currency);
  return amount.net === null ? "–" : `${moneyText(amount.net, amount.currency)} net`;
}

/** The sum of a line that states none: without floating point's digits beyond a thousandth. */
function sumOf({ price, quantity }: Line): Amount | null {
  if (price === null) return null;
  const times = (amount: number | null) =>
    amount === null ? null : Math.round(amount * quantity * 1_000) / 1_000;
  return { gross: times(price.gross), net: times(price.net), currency: price.currency };
}

interface Tax {
  name: string | null;
  percent: number | null;
  amount: number | null;
}

/** `VAT 25 %: 2.50 EUR` */
function taxText(tax: Tax | null, currency: string | undefined): string {
  if (tax === null) return "–";
  const rate = [tax.name, tax.percent === null ? null : `${tax.percent} %`].filter(Boolean).join(" ");
  const amount = tax.amount === null ? "" : moneyText(tax.amount, currency);
  return [rate, amount].filter(Boolean).join(": ") || "–";
}

function Totals({ total }: { total: NonNullable<Order["total"]> }) {
  const { gross, net, currency, tax, taxBreakdown, discounts } = total;
  const taxes = taxBreakdown?.length ? taxBreakdown.map((share) => share.tax) : [tax];
  const shown = taxes.map((each) => taxText(each, currency)).filter((text) => text !== "–");
  return (
    <tfoot>
      {discounts?.map(({ percent }) => (
        <Sum key={percent} name="Discount" amount={`−${percent} %`} />
      ))}
      {net !== null && <Sum name="Net" amount={moneyText(net, currency)} />}
      {shown.map((text) => (
        <Sum key={text} name="Tax" amount={text} />
      ))}
      {gross !== null && <Sum name="Total" amount={moneyText(gross, currency)} isTotal />}
    </tfoot>
  );
}

const Sum = ({ name, amount, isTotal = false }: { name: string; amount: string; isTotal?: boolean }) => (
  <tr className={isTotal ? styles.total : undefined}>
    <td colSpan={2} className={styles.extra} />
    <th scope="row" colSpan={2} className={styles.figure}>
      {name}
    </th>
    <td className={styles.figure}>{amount}</td>
  </tr>
);
