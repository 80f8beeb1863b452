import type { FastifyRequest } from "fastify";
import { type Right, rights } from "../tenants/rights.ts";

/** The callers of routes that need no access token, by what they show. */
export const callers = {
  anyone: "anyone",
  operator: "the operator, with the operator's token",
  form: "anyone with a presigned form for the file",
  credentials: "a page of the service, with an access token or a one-time code",
  session: "a page of the service, with a session for what it asks about",
  beginning: "a person at a page of the service, or who typed the address",
  begun: "the browser that began the sign-in, with its cookie and the provider's answer",
} as const;

export type Caller = keyof typeof callers;

/**
 * The right that each route needs of an access token, or who may call it without one. `HEAD` needs what `GET` does.
 */
export const routeRights: Readonly<Record<string, Right | Caller>> = {
  // Each root field of a query, mutation or subscription needs its own right.
  "POST /@:tenant": "read",
  "POST /@:tenant/core": "read",
  "GET /@:tenant/tasks/:id/events": "read",
  "GET /@:tenant/tasks/:id/operations.jsonl": "read",
  "GET /@:tenant/tasks/:id/failures.json": "readFailures",
  "GET /@:tenant/tasks/:id/file": "read",
  "GET /@:tenant/thumbnails/:width/*": "read",
  // Each kind needs its own right: `exportRights`.
  "GET /@:tenant/export": "read",
  "GET /@:tenant/dump.json": "dump",
  "POST /@:tenant/console-code": "read",

  "POST /operator": "operator",
  "POST /uploads": "form",
  "GET /images/*": "anyone",
  "GET /schema/mass-operation.json": "anyone",
  "GET /health/live": "anyone",
  "GET /health/ready": "anyone",
  "GET /metrics": "anyone",
  "OPTIONS *": "anyone",

  "POST /console/session": "credentials",
  "GET /console/session": "session",
  "DELETE /console/session": "session",
  "DELETE /console/session/:tenant": "session",
  "GET /console/oidc": "anyone",
  "GET /console/oidc/sign-in": "beginning",
  "GET /console/oidc/callback": "begun",
  "POST /console/csp-report": "anyone",

  // Pages and their files, which are the same for everyone.
  "GET /": "anyone",
  "GET /@:tenant": "anyone",
  "GET /graphiql": "anyone",
  "GET /graphiql/:version/start.js": "anyone",
  "GET /graphiql/:version/:file": "anyone",
  "GET /console": "anyone",
  "GET /console/*": "anyone",
  "GET /console/assets/*": "anyone",
};

export const isRight = (needed: Right | Caller): needed is Right => needed in rights;

/** Returns the right that a tenant's route needs. @throws Error for a route that the table lacks */
export function rightAt({ method, routeOptions: { url } }: FastifyRequest): Right {
  const needed = routeRights[`${method === "HEAD" ? "GET" : method} ${url}`];
  if (needed !== undefined && isRight(needed)) return needed;
  throw new Error(`routeRights has no right for ${method} ${url}`);
}
