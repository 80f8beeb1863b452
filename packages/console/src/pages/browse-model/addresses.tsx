import styles from "./browse-model.module.css";
import { Part } from "./facts.tsx";
import { personName } from "./links.tsx";

interface Address {
  type: string;
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
  street: string | null;
  street2: string | null;
  streetNumber: string | null;
  postalCode: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
  email: string | null;
  phone: string | null;
}

/** Addresses next to each other, as on an envelope; nothing without any. */
export const Addresses = ({ addresses }: { addresses: readonly Address[] | null }) =>
  addresses !== null &&
  addresses.length > 0 && (
    <Part title="Addresses">
      <ul className={styles.addresses}>
        {addresses.map((address) => (
          <li key={JSON.stringify(address)}>
            <h3>{address.type}</h3>
            <address dir="auto">
              {linesOf(address).map((line) => (
                <span key={line} dir="auto">
                  {line}
                </span>
              ))}
            </address>
          </li>
        ))}
      </ul>
    </Part>
  );

function linesOf(address: Address): string[] {
  const line = (...parts: (string | null)[]) => parts.filter(Boolean).join(" ");
  return [
    personName({ ...address, companyName: null }) ?? "",
    line(address.street, address.streetNumber),
    line(address.street2),
    line(address.postalCode, address.city),
    [address.state, address.country].filter(Boolean).join(", "),
    line(address.email),
    line(address.phone),
  ].filter((text) => text !== "");
}
