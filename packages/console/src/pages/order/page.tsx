import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { AsOf } from "../../layout/as-of.tsx";
import { Pending } from "../../layout/page-states.tsx";
import { usePageTitle } from "../../layout/page-title.ts";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import { Addresses } from "../browse-model/addresses.tsx";
import styles from "../browse-model/browse-model.module.css";
import { AsJson, Fact, Facts, KeyValues } from "../browse-model/facts.tsx";
import { LastChange } from "../browse-model/last-change.tsx";
import { CustomerLink, OrderLink } from "../browse-model/links.tsx";
import { PaymentState } from "../browse-model/states.tsx";
import { type Order, orderDocument, type Pipelines } from "./documents.ts";
import { Lines } from "./lines.tsx";
import { Payments } from "./payments.tsx";

const route = getRouteApi("/@{$tenant}/browse/orders/$order");

/** An order: who ordered what, its sums, payments and stages. */
function OrderPage() {
  const { tenant, order: id } = route.useParams();
  const query = useQuery({
    queryKey: [entitiesKey, tenant, "order", id],
    queryFn: async ({ signal }) => {
      const answer = await request(tenant, orderDocument, { id }, signal);
      return { order: success(answer.order), pipelines: answer.tenant?.pipelines ?? [] };
    },
  });
  const { data } = query;
  usePageTitle(data && `Order ${data.order.reference}`);
  if (data === undefined) return <Pending query={query} title="This order cannot be shown" />;
  const { order, pipelines } = data;
  return (
    <Page>
      <PageHead
        crumbs={
          <Link to="/@{$tenant}/browse/$kind" params={{ tenant, kind: "orders" }}>
            Orders
          </Link>
        }
        title={order.reference}
        facts={<PaymentState status={order.paymentStatus} />}
      >
        <AsOf />
      </PageHead>
      <div className={styles.parts}>
        <OrderFacts order={order} pipelines={pipelines} />
        <Lines order={order} />
        <Payments payments={order.payment} />
        <Addresses addresses={order.customer.addresses} />
        <KeyValues title="Meta" pairs={order.meta} />
        <AsJson value={order} />
      </div>
    </Page>
  );
}

function OrderFacts({ order, pipelines }: { order: Order; pipelines: Pipelines }) {
  const { customer, createdAt, updatedAt } = order;
  const stages = (order.pipelines ?? []).map(({ pipelineId, stageId }) =>
    stageText(pipelines, pipelineId, stageId),
  );
  return (
    <Facts>
      <Fact name="Customer">
        <CustomerLink customer={customer} isStop />
        <div className="muted">{customer.email ?? customer.phone}</div>
      </Fact>
      <Fact name="Ordered">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Type">{order.type}</Fact>
      {stages.length > 0 && <Fact name="Stages">{stages.join(", ")}</Fact>}
      <Fact name="Stock location">{order.stockLocationIdentifier}</Fact>
      <Fact name="Additional information">{order.additionalInformation}</Fact>
      {order.relatedOrderIds && order.relatedOrderIds.length > 0 && (
        <Fact name="Related orders">
          <span className={styles.list}>
            {order.relatedOrderIds.map((id) => (
              <OrderLink key={id} order={{ id, reference: id }} isStop />
            ))}
          </span>
        </Fact>
      )}
      {order.appliedPromotions && order.appliedPromotions.length > 0 && (
        <Fact name="Promotions">{order.appliedPromotions.map(({ name }) => name).join(", ")}</Fact>
      )}
      <Fact name="Changed">
        <LastChange entity={{ kind: "order", id: order.id }} at={updatedAt} />
      </Fact>
      <Fact name="Id">
        <Id id={order.id} />
      </Fact>
    </Facts>
  );
}

/** `Fulfilment: Packed`; the ids of what the tenant no longer has. */
function stageText(pipelines: Pipelines, pipelineId: string, stageId: string): string {
  const pipeline = pipelines.find(({ id }) => id === pipelineId);
  const stage = pipeline?.stages.find(({ id }) => id === stageId);
  return `${pipeline?.name ?? pipelineId}: ${stage?.name ?? stageId}`;
}

export const page = createLazyRoute("/@{$tenant}/browse/orders/$order")({ component: OrderPage });
