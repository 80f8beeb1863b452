import { Fact, Facts, Part } from "../browse-model/facts.tsx";
import type { Order } from "./documents.ts";

export const Payments = ({ payments }: { payments: Order["payment"] }) =>
  payments !== null &&
  payments.length > 0 && (
    <Part title="Payments">
      {payments.map(({ provider, custom, ...rest }) => {
        const fields = Object.values(rest).flatMap((details) => Object.entries(details ?? {}));
        const properties = custom?.properties?.map(({ property, value }) => [property, value] as const) ?? [];
        return (
          <Facts key={JSON.stringify([provider, custom, rest])}>
            <Fact name="Provider">{provider}</Fact>
            {[...fields, ...properties].map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        );
      })}
    </Part>
  );
