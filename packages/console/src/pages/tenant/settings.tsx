import { useTenant } from "../../api/session.ts";
import { HeadRow } from "../../ui/table/plain-table.tsx";
import { Command, Id } from "../../ui/values/id.tsx";
import { Part } from "../browse-model/facts.tsx";
import type { ShownTenant } from "./documents.ts";
import styles from "./tenant.module.css";

interface Group {
  title: string;
  /** The arguments of `lading tenant settings add` after the tenant, for a setting it can add. */
  added?: string;
  columns: string[];
  rows: string[][];
}

const listOf = (words: readonly { name: string }[]) => words.map(({ name }) => name).join(" → ");
const mark = (isDefault: boolean) => (isDefault ? "yes" : "no");

/** The kinds of settings, ordered like the documentation. */
const groupsOf = (tenant: ShownTenant): Group[] => [...ofPrices(tenant), ...ofSales(tenant)];

const ofPrices = (tenant: ShownTenant): Group[] => [
  {
    title: "Languages",
    added: "language no-nb --name Norwegian",
    columns: ["Code", "Name", "Default"],
    rows: tenant.languages.map(({ code, name, isDefault }) => [code, name, mark(isDefault)]),
  },
  {
    title: "VAT types",
    added: "vat-type --name Standard --percent 25",
    columns: ["Name", "Percent", "Id", "Default"],
    rows: tenant.vatTypes.map(({ id, name, percent, isDefault }) => [
      name,
      `${percent} %`,
      id,
      mark(isDefault),
    ]),
  },
  {
    title: "Price variants",
    added: "price-variant b2b --name Business --currency USD",
    columns: ["Identifier", "Name", "Currency", "Default"],
    rows: tenant.priceVariants.map(({ identifier, name, currency, isDefault }) => [
      identifier,
      name,
      currency,
      mark(isDefault),
    ]),
  },
];

const ofSales = (tenant: ShownTenant): Group[] => [
  {
    title: "Stock locations",
    added: "stock-location presale --name Presale",
    columns: ["Identifier", "Name", "Minimum stock", "Default"],
    rows: tenant.stockLocations.map(({ identifier, name, isDefault, settings }) => [
      identifier,
      name,
      settings.unlimited ? "unlimited" : `${settings.minimum}`,
      mark(isDefault),
    ]),
  },
  {
    title: "Markets",
    added: "market europe --name Europe",
    columns: ["Identifier", "Name"],
    rows: tenant.markets.map(({ identifier, name }) => [identifier, name]),
  },
  {
    title: "Subscription plans",
    columns: ["Identifier", "Name", "Periods", "Metered variables"],
    rows: tenant.subscriptionPlans.map(({ identifier, name, periods, meteredVariables }) => [
      identifier,
      name,
      periods.map((period) => period.name).join(", "),
      meteredVariables.map((variable) => variable.identifier).join(", "),
    ]),
  },
  {
    title: "Order pipelines",
    columns: ["Name", "Stages", "Id"],
    rows: tenant.pipelines.map(({ id, name, stages }) => [name, listOf(stages), id]),
  },
];

/** A tenant's settings. They are changed by operations and mutations, not here. */
export function Settings({ tenant }: { tenant: ShownTenant }) {
  const command = `lading mass-operation run ${useTenant()} settings.json`;
  return (
    <div className={styles.panel}>
      <p className="muted">
        Operations such as subscriptionPlan/upsert change settings: <Command text={command} />
      </p>
      <div className={styles.groups}>
        {groupsOf(tenant).map((group) => (
          <SettingTable key={group.title} {...group} />
        ))}
      </div>
    </div>
  );
}

const SettingTable = ({ title, added, columns, rows }: Group) => (
  <Part title={title}>
    {rows.length === 0 ? (
      <NoSetting added={added} />
    ) : (
      <table className={styles.settings} aria-label={title}>
        <HeadRow names={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(" ")}>
              {columns.map((column, i) => (
                <td key={column}>
                  <Setting column={column} value={row[i] ?? ""} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Part>
);

function Setting({ column, value }: { column: string; value: string }) {
  if (value === "") return <>–</>;
  return column === "Id" ? <Id id={value} /> : value;
}

function NoSetting({ added }: { added: string | undefined }) {
  const tenant = useTenant();
  if (added === undefined) return <p className="muted">None yet: operations create them.</p>;
  return (
    <>
      <p className="muted">None yet. Add one with the CLI:</p>
      <Command text={`lading tenant settings add ${tenant} ${added}`} />
    </>
  );
}
