import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { AsOf } from "../../layout/as-of.tsx";
import { Pending } from "../../layout/page-states.tsx";
import { usePageTitle } from "../../layout/page-title.ts";
import { moneyText, numberText } from "../../ui/format.ts";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { Id } from "../../ui/values/id.tsx";
import { State, type StateShape } from "../../ui/values/state.tsx";
import { Time } from "../../ui/values/time.tsx";
import { Addresses } from "../browse-model/addresses.tsx";
import styles from "../browse-model/browse-model.module.css";
import { AsJson, Fact, Facts, KeyValues } from "../browse-model/facts.tsx";
import { LastChange } from "../browse-model/last-change.tsx";
import { CustomerLink, OrderLink, personName, SkuLink } from "../browse-model/links.tsx";
import { PaymentState } from "../browse-model/states.tsx";
import { Stored } from "../browse-model/stored.tsx";
import {
  type Contract,
  type Customer,
  customerContractsDocument,
  customerDocument,
  customerOrdersDocument,
} from "./documents.ts";
import { PagedPart } from "./paged-part.tsx";

const route = getRouteApi("/@{$tenant}/browse/customers/$customer");

function CustomerPage() {
  const { tenant, customer: identifier } = route.useParams();
  const query = useQuery({
    queryKey: [entitiesKey, tenant, "customer", identifier],
    queryFn: async ({ signal }) =>
      success((await request(tenant, customerDocument, { identifier }, signal)).customer),
  });
  const { data } = query;
  const name = data && (personName(data) ?? identifier);
  usePageTitle(name);
  if (data === undefined) return <Pending query={query} title="This customer cannot be shown" />;
  return (
    <Page>
      <PageHead
        crumbs={
          <Link to="/@{$tenant}/browse/$kind" params={{ tenant, kind: "customers" }}>
            Customers
          </Link>
        }
        title={<Stored>{name}</Stored>}
        facts={<Id id={identifier} name="identifier" />}
      >
        <AsOf />
      </PageHead>
      <div className={styles.parts}>
        <CustomerFacts customer={data} />
        <Orders identifier={identifier} />
        <Contracts identifier={identifier} />
        <Addresses addresses={data.addresses} />
        <KeyValues title="External references" pairs={data.externalReferences} />
        <KeyValues title="Meta" pairs={data.meta} />
        <AsJson value={data} />
      </div>
    </Page>
  );
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const person = personName({ ...customer, companyName: null });
  const { email, companyName, birthDate, parents, childCount } = customer;
  return (
    <Facts>
      {companyName && <Fact name="Contact">{person}</Fact>}
      <Fact name="Email">{email && <a href={`mailto:${email}`}>{email}</a>}</Fact>
      <Fact name="Phone">{customer.phone}</Fact>
      <Fact name="Type">{customer.type}</Fact>
      <Fact name="Tax number">{customer.taxNumber}</Fact>
      {birthDate && <Fact name="Date of birth">{birthDate.slice(0, 10)}</Fact>}
      {parents && parents.length > 0 && (
        <Fact name="Belongs to">
          <span className={styles.list}>
            {parents.map((parent) => (
              <Parent key={`${parent.type} ${parent.identifier}`} {...parent} />
            ))}
          </span>
        </Fact>
      )}
      {childCount > 0 && <Fact name="Child customers">{numberText(childCount)}</Fact>}
      <Fact name="Created">
        <Time at={customer.createdAt} />
      </Fact>
      <Fact name="Changed">
        <LastChange entity={{ kind: "customer", identifier: customer.identifier }} at={customer.updatedAt} />
      </Fact>
    </Facts>
  );
}

function Parent({ identifier, type }: { identifier: string; type: string }) {
  if (type === "customer") return <CustomerLink customer={{ identifier }} isStop />;
  return (
    <span>
      <Stored>{identifier}</Stored> <span className="muted">(group)</span>
    </span>
  );
}

function Orders({ identifier }: { identifier: string }) {
  const tenant = useTenant();
  return (
    <PagedPart
      title="Orders"
      queryKey={[entitiesKey, tenant, "orders of", identifier]}
      fetchPage={async (after, signal) =>
        success((await request(tenant, customerOrdersDocument, { identifier, after }, signal)).orders)
      }
      headers={["Reference", "Ordered", "Lines", "Total", "Payment"]}
      row={(order) => (
        <tr key={order.id}>
          <th scope="row">
            <OrderLink order={order} isStop />
          </th>
          <td>
            <Time at={order.createdAt} />
          </td>
          <td>{numberText(order.cart.length)}</td>
          <td>{order.total?.gross ? moneyText(order.total.gross, order.total.currency) : "–"}</td>
          <td>
            <PaymentState status={order.paymentStatus} />
          </td>
        </tr>
      )}
    />
  );
}

type ContractState = Contract["status"]["state"];

const contractStates: Readonly<Record<ContractState, [StateShape, string]>> = {
  active: ["running", "active"],
  paused: ["held", "paused"],
  cancelled: ["stopped", "cancelled"],
  pendingActivation: ["waiting", "pending activation"],
  pendingDeactivation: ["queued", "pending deactivation"],
};

function Contracts({ identifier }: { identifier: string }) {
  const tenant = useTenant();
  return (
    <PagedPart
      title="Subscription contracts"
      queryKey={[entitiesKey, tenant, "contracts of", identifier]}
      fetchPage={async (after, signal) =>
        success(
          (await request(tenant, customerContractsDocument, { identifier, after }, signal))
            .subscriptionContracts,
        )
      }
      headers={["Product", "Plan", "Price", "State", "Renewal", "Until"]}
      row={(contract) => <ContractRow key={contract.id} contract={contract} />}
    />
  );
}

function ContractRow({ contract: { item, subscriptionPlan, recurring, status } }: { contract: Contract }) {
  const { state, renewAt, activeUntil } = status;
  const [shape, words] = contractStates[state];
  return (
    <tr>
      <th scope="row">
        {item.name && <Stored>{item.name}</Stored>}
        <small>
          <SkuLink sku={item.sku} isStop />
          {item.quantity !== null && ` × ${item.quantity}`}
        </small>
      </th>
      <td>
        <Stored>{subscriptionPlan.identifier}</Stored>
        <small>
          <Stored>{subscriptionPlan.periodName}</Stored>
        </small>
      </td>
      <td>
        {moneyText(recurring.price, recurring.currency)}
        {recurring.unit && ` / ${recurring.period === 1 ? "" : `${recurring.period} `}${recurring.unit}`}
      </td>
      <td>
        <State shape={shape}>{words}</State>
      </td>
      <td>
        <Time at={renewAt} />
      </td>
      <td>
        <Time at={activeUntil} />
      </td>
    </tr>
  );
}

export const page = createLazyRoute("/@{$tenant}/browse/customers/$customer")({ component: CustomerPage });
