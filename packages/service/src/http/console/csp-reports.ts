import { isObject } from "@lading/schema/internal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressKey, rateLimiter } from "../limits/rate-limit.ts";
import { limitBodyTime } from "../limits/slow-clients.ts";

/** Where browsers report violations of the console's content security policy. */
export const reportPath = "/console/csp-report";

/** Limits of reports, which anyone can send. */
export const reportLimits = {
  bytes: 16_384,
  /** Logged reports per minute, of one address and of all. */
  perAddress: 10,
  perMinute: 60,
  /** Logged reports per request. */
  perRequest: 10,
  /** Logged characters per value. */
  characters: 200,
} as const;

/**
 * Adds `POST /console/csp-report` (Content Security Policy 3, 5.3 and 5.5). Violations are logged as warnings, up to a
 * limit, without the queries of URLs; every report is answered with 204.
 */
export function reportRoute(app: FastifyInstance, bodyTimeout: number): void {
  const ofAddress = rateLimiter(reportLimits.perAddress);
  const ofAll = rateLimiter(reportLimits.perMinute);
  const isAllowed = (key: string) => ofAddress.take(key).retryAfter === 0 && ofAll.take("").retryAfter === 0;
  // In its own scope, because no other route takes these types.
  app.register(async (scope) => {
    scope.addContentTypeParser(
      ["application/csp-report", "application/reports+json"],
      { parseAs: "string", bodyLimit: reportLimits.bytes },
      scope.getDefaultJsonParser("error", "error"),
    );
    const options = { bodyLimit: reportLimits.bytes, preParsing: limitBodyTime(bodyTimeout) };
    scope.post(reportPath, options, async (request, reply) => {
      for (const violation of violationsIn(request))
        if (isAllowed(addressKey(request.ip)))
          request.log.warn(violation, "the console's content security policy blocked something");
      return reply.code(204).send();
    });
  });
}

type Members = Readonly<Record<string, unknown>>;

/** Reads the violations of a request: one of the older format, or a list of the newer one. */
function violationsIn({ body }: FastifyRequest): object[] {
  const reports = Array.isArray(body) ? body.slice(0, reportLimits.perRequest) : [body];
  return reports.map((report) => {
    const { body: newer, "csp-report": older } = membersOf(report);
    const members = membersOf(newer ?? older);
    return {
      directive: shown(members.effectiveDirective ?? members["effective-directive"]),
      blocked: shown(members.blockedURL ?? members["blocked-uri"]),
      source: shown(members.sourceFile ?? members["source-file"]),
      line: shown(members.lineNumber ?? members["line-number"]),
    };
  });
}

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/** A value as it is logged: short, and a URL without its query and fragment, which may have secrets. */
function shown(value: unknown): string | number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string"
    ? value.replace(/[?#].*/s, "").slice(0, reportLimits.characters)
    : undefined;
}
