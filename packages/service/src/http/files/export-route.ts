import {
  byKey,
  type ExportKind,
  exportKinds,
  oneOf as listOf,
  personalExportKinds,
} from "@lading/schema/internal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { beginExport, type ExportRequest, exportColumns, exportMap } from "../../domain/export/export.ts";
import type { Database } from "../../storage/database.ts";
import type { Right } from "../../tenants/rights.ts";
import { type Access, callerOf, requireRight } from "../access.ts";
import { HttpFailure } from "../http-failure.ts";
import { type OpenStreams, streamLimits } from "../open-streams.ts";
import { oneOf, type Parameters, textOf, throwAsFailure } from "../query-parameters.ts";
import { dumpTimeouts, inTime, refused } from "./dump-route.ts";

const exportParameters = [
  ...["kind", "format", "columns", "where", "shape", "language", "publish", "decimal", "bom"],
] as const;

const formats = ["csv", "ndjson", "map", "columns"] as const;
const types = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" } as const;

/** The right that the export of each kind needs. */
export const exportRights = byKey(
  exportKinds,
  (kind): Right => (personalExportKinds.includes(kind) ? "readPersonalData" : "read"),
);

type ExportHttpRequest = FastifyRequest<{
  Params: { tenant: string };
  Querystring: Parameters<typeof exportParameters>;
}>;

/**
 * Adds `GET /@{tenant}/export`: the tenant's entities of a kind as a table, its conversion map, or its columns. Admins
 * export all kinds, readers those without personal data. Refuses with 409 while another export or dump of the tenant is
 * running, and with 429 beyond the process's limit. A failed export breaks the connection.
 */
export function exportRoute(
  app: FastifyInstance,
  { database, streams }: { database: Database; streams: OpenStreams },
  access: Access,
  timeouts = dumpTimeouts,
): void {
  app.get(
    "/@:tenant/export",
    {
      onRequest: access.tenant,
      exposeHeadRoute: false,
      config: { parameters: exportParameters },
    },
    async (request: ExportHttpRequest, reply) => {
      const caller = callerOf(request);
      const { query } = request;
      const format = oneOf("format", formats, query.format) ?? "csv";
      const kind = kindOf(query.kind);
      requireRight(caller, exportRights[kind]);
      const wanted = wantedOf(kind, format === "ndjson" ? "ndjson" : "csv", query);
      const { tenant } = caller;
      if (format === "map") return exportMap(database, tenant.id, wanted).catch(throwAsFailure);
      if (format === "columns") return exportColumns(database, tenant.id, wanted).catch(throwAsFailure);
      const text = await beginExport(database, tenant.id, wanted).catch(throwAsFailure);
      if (typeof text === "string") throw refused(text, tenant.id);
      const name = `${tenant.identifier}-${kind}.${format}`;
      reply.header("content-disposition", `attachment; filename="${name}"`);
      try {
        return streams.send(reply, caller, {
          type: types[format],
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

function kindOf(given: string | undefined): ExportKind {
  const kind = oneOf("kind", exportKinds, given);
  if (kind !== null) return kind;
  throw new HttpFailure(400, "ValidationError", `kind is missing; give ${listOf(exportKinds)}.`);
}

const switches = ["true", "false"] as const;

function wantedOf(
  kind: ExportKind,
  format: ExportRequest["format"],
  query: Parameters<typeof exportParameters>,
): ExportRequest {
  return {
    kind,
    format,
    columns: textOf("columns", query.columns)
      ?.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    where: textOf("where", query.where) ?? "",
    shape: textOf("shape", query.shape) ?? undefined,
    language: textOf("language", query.language) ?? undefined,
    publish: oneOf("publish", switches, query.publish) === "true",
    decimal: oneOf("decimal", [".", ","], query.decimal) ?? ".",
    bom: oneOf("bom", switches, query.bom) === "true",
  };
}
