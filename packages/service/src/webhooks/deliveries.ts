import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../storage/database.ts";
import { DiskFull } from "../storage/engines/disk-space.ts";
import { retry, whenTransient } from "../storage/retry.ts";
import { isTransient } from "../storage/sql-states.ts";
import {
  type ClaimedEvent,
  claimEvent,
  type DeliveryTry,
  hostOfTenant,
  recordTry,
  releaseEvent,
} from "../storage/webhooks/events.ts";
import { guardedConnections, type Resolve } from "../system/outbound/connections.ts";
import type { Sealing } from "../system/sealing.ts";
import { errorMessage } from "../system/thrown.ts";
import { eventBody, eventId } from "./event.ts";
import { type DeliveryLimits, pauseAfter, webhookLimits } from "./limits.ts";
import { type Post, post } from "./post.ts";
import type { WebhookServices } from "./setting.ts";
import { signedHeaders } from "./signature.ts";

/** Interval between polls for due events, in milliseconds. */
const sweepInterval = 5_000;
/** Lease of a claimed event, in milliseconds: covers a try and recording it. */
const lease = 30_000;

/** The outcome of a try; after `retried` another one follows. */
export type TryOutcome = "delivered" | "retried" | "failed";

export interface DeliveryOptions extends WebhookServices {
  readonly database: Database;
  readonly logger: Logger;
  readonly limits?: Partial<DeliveryLimits>;
  /** Milliseconds until the next try after `tried` tries; null: none. Default: `pauseAfter`. */
  readonly pause?: (tried: number) => number | null;
  readonly onTry?: (outcome: TryOutcome, seconds: number) => void;
  /** Default: the system's. */
  readonly resolve?: Resolve;
}

export interface RunningDeliveries {
  /** Polls for due events; call it when a task has ended. */
  readonly look: () => void;
  stop(): Promise<void>;
}

/**
 * Delivers the events of ended tasks, round-robin across tenants, until stopped. An event is claimed, sent and
 * recorded; if a process dies in between, its claim expires and the event is sent again with the same id.
 */
export function startDeliveries(options: DeliveryOptions): RunningDeliveries {
  const { look, stop } = new Deliveries(options);
  const sweep = setInterval(look, sweepInterval);
  look();
  return {
    look,
    stop: async () => {
      clearInterval(sweep);
      await stop();
    },
  };
}

class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #limits: DeliveryLimits;
  readonly #connections;
  readonly #active = new Map<Promise<void>, ClaimedEvent>();
  readonly #stopping = new AbortController();
  #isStopping = false;
  #claims = Promise.resolve();
  #claiming = false;
  #again = false;
  /** The tenant whose event was claimed last. */
  #after = "";

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#limits = { ...webhookLimits, ...options.limits };
    const { allowed, resolve } = options;
    // One connection per request: a slow host must not hold one that another waits for.
    this.#connections = guardedConnections({
      allowed,
      perHost: this.#limits.concurrency,
      keepAlive: false,
      resolve,
    });
  }

  readonly look = (): void => {
    this.#again = true;
    if (!this.#claiming && !this.#isStopping) this.#claims = this.#claimAll();
  };

  readonly stop = async (): Promise<void> => {
    this.#isStopping = true;
    await this.#claims;
    const sent = Promise.all(this.#active.keys());
    await Promise.race([sent, setTimeout(this.#limits.stopGrace, undefined, { ref: false })]);
    this.#stopping.abort(new Error("the runner is stopping"));
    await sent;
    this.#connections.close();
  };

  async #claimAll(): Promise<void> {
    this.#claiming = true;
    try {
      while (this.#again && !this.#isStopping && this.#active.size < this.#limits.concurrency) {
        this.#again = false;
        const event = await claimEvent(this.#options.database, this.#wanted());
        if (event === undefined) continue;
        this.#again = true;
        this.#after = event.tenantId;
        const work = this.#deliver(event).finally(() => {
          this.#active.delete(work);
          this.look();
        });
        this.#active.set(work, event);
      }
    } catch (error) {
      if (!(error instanceof DiskFull))
        this.#options.logger.warn({ err: error }, "claiming webhooks failed; retrying");
    } finally {
      this.#claiming = false;
    }
  }

  #wanted() {
    const active = [...this.#active.values()];
    const full = (names: string[], most: number) =>
      [...new Set(names)].filter((name) => names.filter((other) => other === name).length >= most);
    return {
      lease,
      keyIds: this.#options.sealing.keyIds,
      after: this.#after,
      fullTenants: full(
        active.map(({ tenantId }) => tenantId),
        this.#limits.ofTenant,
      ),
      fullHosts: full(active.map(hostOfTenant), this.#limits.ofHost),
    };
  }

  /** Makes one try and records it. Never throws. */
  async #deliver(event: ClaimedEvent): Promise<void> {
    const { database, logger } = this.#options;
    const { tenantId: tenant, taskId: task, host } = event;
    try {
      const made = await this.#try(event);
      const record = () => (made === undefined ? releaseEvent(database, event) : this.#record(event, made));
      await retry(record, { afterFailure: whenTransient(isTransient), attempts: 5 });
    } catch (error) {
      logger.warn(
        { err: error, tenant, task, host },
        "recording a webhook delivery failed; it will be sent again",
      );
    }
  }

  /** Undefined when the process stops before the try has ended. */
  async #try(event: ClaimedEvent): Promise<DeliveryTry | undefined> {
    const at = new Date();
    const began = performance.now();
    const { signal } = this.#stopping;
    try {
      const outcome = await post(signed(event, this.#options.sealing, at), {
        ...{ connections: this.#connections, allowed: this.#options.allowed, limits: this.#limits, signal },
      });
      return { at: at.toISOString(), durationMs: Math.round(performance.now() - began), ...outcome };
    } catch (error) {
      if (signal.aborted) return undefined;
      return { at: at.toISOString(), durationMs: 0, statusCode: null, error: errorMessage(error) };
    }
  }

  async #record(event: ClaimedEvent, made: DeliveryTry): Promise<void> {
    const { database, logger, pause = pauseAfter, onTry } = this.#options;
    const { tenantId: tenant, taskId: task, host } = event;
    const next = made.error === null ? null : pause(event.tried + 1);
    const facts = {
      tenant,
      task,
      host,
      try: event.tried + 1,
      statusCode: made.statusCode,
      ms: made.durationMs,
    };
    if (!(await recordTry(database, event, made, next)))
      return logger.warn(facts, "recording a webhook delivery took too long: another runner sends it again");
    const outcome = made.error === null ? "delivered" : next === null ? "failed" : "retried";
    onTry?.(outcome, made.durationMs / 1_000);
    logger.info({ ...facts, ...(made.error && { reason: made.error }) }, `webhook ${outcome}`);
  }
}

/** Builds the request of a try. @throws Error when a secret cannot be decrypted */
function signed(event: ClaimedEvent, sealing: Sealing, at: Date): Post {
  const { url, taskId, tenantId, keyId, secret, previousSecret } = event;
  const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
  const secrets = sealed.map((one) => sealing.open(tenantId, { keyId, sealed: one }));
  const body = eventBody(event);
  const timestamp = Math.floor(at.getTime() / 1_000);
  return { url, body, headers: signedHeaders({ id: eventId(taskId), timestamp, body }, secrets) };
}
