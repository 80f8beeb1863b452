import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { Stored } from "./stored.tsx";

export interface Person {
  identifier: string;
  firstName: string | null;
  middleName?: string | null;
  lastName: string | null;
  companyName: string | null;
}

/** A company's or a person's name; undefined without any. */
export function personName({ firstName, middleName, lastName, companyName }: Omit<Person, "identifier">) {
  return companyName || [firstName, middleName, lastName].filter(Boolean).join(" ") || undefined;
}

/** A link to a customer's page, labeled by their name. */
export function CustomerLink({ customer, isStop = false }: { customer: Person; isStop?: boolean }) {
  const { identifier } = customer;
  const name = personName(customer);
  return (
    <Link
      to="/@{$tenant}/browse/customers/$customer"
      params={{ tenant: useTenant(), customer: identifier }}
      tabIndex={isStop ? undefined : -1}
    >
      {name === undefined ? <code>{identifier}</code> : <Stored>{name}</Stored>}
    </Link>
  );
}
