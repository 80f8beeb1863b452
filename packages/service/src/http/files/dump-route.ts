import { type DumpKind, dumpKinds, shortened } from "@lading/schema/internal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { PseudonymsOf } from "../../domain/dump/anonymise/pseudonyms.ts";
import { beginDump, type DumpServices, type IdForm, idForms } from "../../domain/dump/dump.ts";
import { mostSnapshots, type SnapshotRefusal, snapshotUse } from "../../storage/pages/snapshot.ts";
import { type Access, callerOf } from "../access.ts";
import { HttpFailure } from "../http-failure.ts";
import { type OpenStreams, streamLimits } from "../open-streams.ts";
import type { Parameters } from "../query-parameters.ts";

/** Time limits of a dump, in milliseconds. */
export interface DumpTimeouts {
  /** The longest time without the client reading anything. */
  readonly unread: number;
  /** The longest time in total. */
  readonly total: number;
}

export const dumpTimeouts: DumpTimeouts = { unread: 30_000, total: 3_600_000 };

/** The answer when a dump or an export is refused. */
export function refused(refusal: SnapshotRefusal, tenantId: string): HttpFailure {
  if (refusal === "TooMany") {
    const message = `The service makes ${mostSnapshots} dumps and exports, which is the limit. Try again later.`;
    return new HttpFailure(429, "TooManyDumps", message);
  }
  const running = snapshotUse(tenantId) ?? "dump or export";
  const message = `Another ${running} of the tenant is being made. Try again later.`;
  return new HttpFailure(409, "DumpRunning", message);
}

const dumpParameters = ["only", "without", "anonymise", "ids"] as const;

type DumpRequest = FastifyRequest<{
  Params: { tenant: string };
  Querystring: Parameters<typeof dumpParameters>;
}>;

/**
 * Adds `GET /@{tenant}/dump.json`: a tenant's data as a mass operation file, for admins. Refuses with 403, with 409
 * while another dump of the tenant is running, and with 429 beyond the process's limit. `only` and `without` are
 * comma-separated kinds; `anonymise` replaces personal data with pseudonyms; `ids` is one of `idForms`. A failed dump
 * breaks the connection. The header `lading-dump-moments` is `1` for a consistent snapshot, else `many`.
 */
export function dumpRoute(
  app: FastifyInstance,
  services: DumpServices & { streams: OpenStreams; pseudonymsOf: PseudonymsOf },
  access: Access,
  timeouts = dumpTimeouts,
): void {
  app.get(
    "/@:tenant/dump.json",
    {
      onRequest: access.tenant,
      exposeHeadRoute: false,
      config: { parameters: dumpParameters },
    },
    async (request: DumpRequest, reply) => {
      const caller = callerOf(request);
      const text = await beginDump(services, caller.tenant.id, {
        only: wantedKinds(request),
        ids: wantedIds(request),
        pseudonyms: isAnonymous(request) ? services.pseudonymsOf(caller.tenant.id) : undefined,
      });
      if (typeof text === "string") throw refused(text, caller.tenant.id);
      // A client that deletes what is missing in a dump must know that it may have moved meanwhile.
      reply.header("lading-dump-moments", services.database.engine === "pglite" ? "many" : "1");
      reply.header("content-disposition", `attachment; filename="${caller.tenant.identifier}.json"`);
      try {
        return services.streams.send(reply, caller, {
          type: "application/json; charset=utf-8",
          chunks: inTime(text, () => reply.raw.destroy(), timeouts),
          breaks: true,
          concurrency: streamLimits.dumps,
        });
      } catch (error) {
        await text.return(undefined);
        throw error;
      }
    },
  );
}

/** Reads `anonymise`. Refuses any other value, or an empty one, with 400. */
function isAnonymous({ query: { anonymise = "false" } }: DumpRequest): boolean {
  if (anonymise === "false") return false;
  if (anonymise === "" || anonymise === "true") return true;
  const message = `anonymise is "${shortened(anonymise)}"; give true or false.`;
  throw new HttpFailure(400, "ValidationError", message);
}

/** Reads `ids`. Refuses unknown forms with 400. */
function wantedIds({ query: { ids = "keep" } }: DumpRequest): IdForm {
  const form = idForms.find((name) => name === ids);
  if (form !== undefined) return form;
  const message = `ids is "${shortened(ids)}"; give ${idForms.join(" or ")}.`;
  throw new HttpFailure(400, "ValidationError", message);
}

/** Reads `only` and `without`. Refuses unknown kinds with 400. */
function wantedKinds({ query }: DumpRequest): readonly DumpKind[] {
  const without = kindsOf("without", query.without) ?? [];
  return (kindsOf("only", query.only) ?? dumpKinds).filter((kind) => !without.includes(kind));
}

const kindsOf = (parameter: string, given: string | undefined): DumpKind[] | undefined =>
  given?.split(",").map((name) => dumpKinds.find((kind) => kind === name) ?? refuseKind(parameter, name));

function refuseKind(parameter: string, name: string): never {
  const message = `${parameter} has "${shortened(name)}"; the kinds are ${dumpKinds.join(", ")}.`;
  throw new HttpFailure(400, "ValidationError", message);
}

type Chunks = AsyncIterableIterator<string> & Required<Pick<AsyncIterator<string>, "return">>;

/**
 * Passes chunks on, and hangs up when the client doesn't read one in time, or the whole takes too long. Unlike a
 * generator's, its `return` ends the source even before anything was read.
 */
export function inTime(
  text: AsyncGenerator<string>,
  hangUp: () => void,
  { unread, total }: DumpTimeouts,
): Chunks {
  const whole = setTimeout(hangUp, total).unref();
  let one: NodeJS.Timeout | undefined;
  const clear = () => {
    clearTimeout(one);
    clearTimeout(whole);
  };
  const chunks: Chunks = {
    [Symbol.asyncIterator]: () => chunks,
    next: async () => {
      clearTimeout(one);
      const next = await text.next();
      if (next.done) clear();
      else one = setTimeout(hangUp, unread).unref();
      return next;
    },
    return: async () => {
      clear();
      return text.return(undefined);
    },
  };
  return chunks;
}
