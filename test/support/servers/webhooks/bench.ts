import type { Database } from "../../../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../../../packages/service/src/storage/tenants/tenant.ts";
import {
  listDeliveries,
  type WebhookDelivery,
} from "../../../../packages/service/src/storage/webhooks/deliveries.ts";
import { cancelTask } from "../../../../packages/service/src/tasks/cancel.ts";
import { operator } from "../../../../packages/service/src/tenants/audit.ts";
import {
  type DeliveryOptions,
  startDeliveries,
} from "../../../../packages/service/src/webhooks/deliveries.ts";
import {
  setWebhook,
  type WebhookScope,
  type WebhookServices,
} from "../../../../packages/service/src/webhooks/setting.ts";
import { eventually, openRunnerBench, type RunnerBench, silent } from "../../runner.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { webhookServices } from "./services.ts";

/** Opens a bench of tenants, one for each test, with receivers of their webhooks; `begin` and `end` go around each. */
export async function openWebhookBench(open: () => Promise<Database>) {
  const runners = await openRunnerBench(open);
  const { database } = runners;
  const senders = sendersOn(database);
  let tenant: Tenant;
  let receiver: Receiver;

  const scopeOf = (of = tenant, services = webhookServices()) => scope(database, of, services);
  const logOf = async (of = tenant): Promise<WebhookDelivery[]> =>
    (await listDeliveries(database, of.id, {}, { first: 100 })).nodes;
  return {
    ...runners,
    tenant: () => tenant,
    receiver: () => receiver,
    begin: async () => {
      receiver = await openReceiver();
      tenant = await runners.newTenant();
    },
    end: async () => {
      await receiver.close();
      await senders.stop();
      await runners.stopRunners();
      await database.execute("DELETE FROM webhook_events");
    },
    /** Another receiver, at the port of one that was closed. */
    reopenReceiver: async (port: number) => {
      receiver = await openReceiver(port);
    },
    scopeOf,
    /** Sets the address of a tenant; answers the secret, if it is new. */
    set: async (url: string | null = `${receiver.url}/hook`, of = tenant) =>
      (await setWebhook(scopeOf(of), url)).secret as string,
    deliver: senders.start,
    /** A task that has ended, by being cancelled; answers its id. */
    ended: async ({ webhookUrl = null as string | null, of = tenant } = {}): Promise<string> => {
      const id = await runners.start([], { tenant: of, autoStart: false, webhookUrl });
      await cancelTask(database, of.id, id);
      return id;
    },
    logOf,
    deliverAll: (services = webhookServices()) => deliverAll({ runners, senders, receiver, services }),
    /** Waits until the newest task's event is so. */
    untilLogged: (status: WebhookDelivery["status"], tries: number) =>
      eventually(
        async () => (await logOf())[0],
        (one) => one?.status === status && one.tries.length >= tries,
      ),
  };
}

interface Delivering {
  readonly runners: RunnerBench;
  readonly senders: ReturnType<typeof sendersOn>;
  readonly receiver: Receiver;
  readonly services: WebhookServices;
}

/**
 * Starts sending, and stops once two events of another tenant have arrived, one after the other: senders take turns by
 * tenant, so that every event which is due has been sent by then.
 */
async function deliverAll({ runners, senders, receiver, services }: Delivering): Promise<void> {
  const other = await runners.newTenant();
  await setWebhook(scope(runners.database, other, services), `${receiver.url}/other`);
  const stop = senders.start(services);
  for (let sent = 0; sent < 2; sent++) {
    const id = await runners.start([], { tenant: other, autoStart: false });
    await cancelTask(runners.database, other.id, id);
    await receiver.about(id);
  }
  await stop();
}

const scope = (database: Database, tenant: Tenant, services: WebhookServices): WebhookScope => ({
  ...services,
  database,
  auditor: { tenant, actor: operator },
});

/** Senders of the events of a database, until they are stopped. */
function sendersOn(database: Database) {
  const stops: (() => Promise<void>)[] = [];
  return {
    /** Starts sending, with short pauses; answers how to stop it. */
    start: (change: Partial<DeliveryOptions> = {}) => {
      const pause = (tried: number) => (tried < 8 ? 10 : null);
      const deliveries = startDeliveries({
        ...webhookServices(),
        database,
        logger: silent,
        pause,
        ...change,
      });
      // A pause that has passed wakes nobody, and the sweep takes seconds.
      const looks = setInterval(deliveries.look, 20);
      const stop = async () => {
        clearInterval(looks);
        await deliveries.stop();
      };
      stops.push(stop);
      return stop;
    },
    stop: async () => {
      await Promise.all(stops.splice(0).map((stop) => stop()));
    },
  };
}
