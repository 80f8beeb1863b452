import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { shortId } from "../../ui/values/id.tsx";
import { type DisplayName, Name, Stored } from "./stored.tsx";

interface Person {
  identifier: string;
  firstName?: string | null;
  middleName?: string | null;
  lastName?: string | null;
  companyName?: string | null;
}

/** A company's or a person's name; undefined without any. */
export function personName({ firstName, middleName, lastName, companyName }: Omit<Person, "identifier">) {
  return companyName || [firstName, middleName, lastName].filter(Boolean).join(" ") || undefined;
}

interface LinkProps {
  /** Set outside of tables, where links are Tab stops. */
  isStop?: boolean;
}

const stop = ({ isStop = false }: LinkProps) => (isStop ? undefined : -1);

interface ItemLinkProps extends LinkProps {
  id: string;
  name: DisplayName | null;
  /** The language of the page it leads to; default: the tenant's. */
  language?: string | undefined;
}

/** A link to an item's page, labeled by its name, or its id if it has no name. */
export const ItemLink = ({ id, name, language, ...props }: ItemLinkProps) => (
  <Link
    to="/@{$tenant}/browse/items/$item"
    params={{ tenant: useTenant(), item: id }}
    search={language === undefined ? {} : { language }}
    tabIndex={stop(props)}
  >
    <Name name={name} language={language} id={id} />
  </Link>
);

export const SkuLink = ({ sku, ...props }: LinkProps & { sku: string }) => (
  <Link to="/@{$tenant}/browse/variants/$sku" params={{ tenant: useTenant(), sku }} tabIndex={stop(props)}>
    <code>{sku}</code>
  </Link>
);

export const OrderLink = ({
  order: { id, reference },
  ...props
}: LinkProps & { order: { id: string; reference: string } }) => (
  <Link
    to="/@{$tenant}/browse/orders/$order"
    params={{ tenant: useTenant(), order: id }}
    tabIndex={stop(props)}
  >
    <code>{reference === id ? shortId(id) : reference}</code>
  </Link>
);

/** A link to a customer's page, labeled by their name, if it is known. */
export function CustomerLink({ customer, ...props }: LinkProps & { customer: Person }) {
  const { identifier } = customer;
  const name = personName(customer);
  return (
    <Link
      to="/@{$tenant}/browse/customers/$customer"
      params={{ tenant: useTenant(), customer: identifier }}
      tabIndex={stop(props)}
    >
      {name === undefined ? <code>{identifier}</code> : <Stored>{name}</Stored>}
    </Link>
  );
}

export const TopicLink = ({
  id,
  name,
  language,
}: {
  id: string;
  name: DisplayName | null;
  language: string;
}) => (
  <Link
    to="/@{$tenant}/browse/$kind"
    params={{ tenant: useTenant(), kind: "topics" }}
    search={{ key: id, language }}
  >
    <Name name={name} language={language} id={id} />
  </Link>
);
