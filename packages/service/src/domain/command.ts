import type { Action, Intent, Payload, Written } from "@lading/schema";
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
  /** The properties that later operations can refer to; docs/intents.md lists them for each intent. */
  output: Record<string, unknown>;
  /** The failure of the rest, when only a part could be done. The operation is logged as `partial`, 206. */
  partial?: Rejection;
}

/** A change to the rows of a tenant: of an intent, or of a mutation that has none. */
export interface Handler<Input> {
  /**
   * Declares the rows that `execute` will ask for, so that they are loaded with the batch. The runner calls it with the
   * payload as written, in which any scalar may still be a template: pass it on to `prefetch`, which renders those that
   * can be rendered ahead. A row that is not declared is loaded on demand, which costs a round trip.
   */
  readonly keys?: (input: Input | Written<Input>, prefetch: Prefetch, tenant: Tenant) => void;
  /** True when it changes settings of the tenant: what follows in the runner needs them read anew. */
  readonly changesSettings?: true;
  /** Reads and writes through the unit of work. Throws a `Rejection` for an expected failure: all writes are undone. */
  execute(context: CommandContext, input: Input): Promise<CommandResult>;
}

/** The one implementation of an intent. The runner and the GraphQL mutation call it with the same validated payload. */
export type Command<I extends Intent = Intent> = Handler<Payload<I>>;

/** The commands of all intents. Each noun lists its own in `intents.ts` of its folder. */
export type Commands = { readonly [I in Intent]: Command<I> };
