import type { Action, Intent, Payload, Written } from "@lading/schema/internal";
import type { Rejection } from "../errors.ts";
import type { Media } from "../media/stored-images.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import type { Prefetch } from "../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import type { FailedUploads } from "./payload/failed-uploads.ts";

export interface CommandContext {
  readonly unit: UnitOfWork;
  readonly tenant: Tenant;
  /** The actor, for the audit trail. */
  readonly actor: Actor;
  readonly media: Media;
  /** The time of this operation, ISO 8601 in UTC. */
  readonly now: string;
  /** Set when uploads of the payload failed; only the runner has templates that upload. */
  readonly uploads?: FailedUploads;
}

export interface CommandResult {
  action: Action;
  /** The properties that later operations can refer to; docs/intents.md lists them by intent. */
  output: Record<string, unknown>;
  /** The failure of the rest, if only a part succeeded. The operation is logged as `partial`, 206. */
  partial?: Rejection;
}

/** A change to a tenant's rows: of an intent, or of a mutation without one. */
export interface Handler<Input> {
  /**
   * Declares the rows that `execute` will read, so that they are loaded with the batch. The runner calls it with the
   * unrendered payload, in which any scalar may still be a template: pass it on to `prefetch`, which renders those that
   * can be rendered ahead. An undeclared row is loaded on demand, which costs a round trip.
   */
  readonly keys?: (input: Input | Written<Input>, prefetch: Prefetch, tenant: Tenant) => void;
  /** True when it changes the tenant's settings: the runner must reread them for what follows. */
  readonly changesSettings?: true;
  /**
   * Reads and writes through the unit of work. Throws a `Rejection` for an expected failure, which rolls back all
   * writes.
   */
  execute(context: CommandContext, input: Input): Promise<CommandResult>;
}

/** The one implementation of an intent. The runner and the GraphQL mutation call it with the same validated payload. */
export type Command<I extends Intent = Intent> = Handler<Payload<I>>;

/** The commands of all intents. Each noun lists its own in its folder's `intents.ts`. */
export type Commands = { readonly [I in Intent]: Command<I> };
