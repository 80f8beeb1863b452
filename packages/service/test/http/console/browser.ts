import type { FastifyInstance, InjectOptions } from "fastify";
import type { CreatedTenant } from "../../../src/tenants/create.ts";

/** A browser with a page of the service open: it keeps the cookie that the service sets, and sends it. */
export interface Browser {
  /** The pair that it sends; scripts of the page cannot see it. */
  cookie: string | undefined;
  setCookie: string | undefined;
  send(request: InjectOptions): Promise<Awaited<ReturnType<FastifyInstance["inject"]>>>;
  signIn(
    tenant: string,
    token: { id: string; secret: string },
  ): Promise<Awaited<ReturnType<FastifyInstance["inject"]>>>;
  ask(tenant: string, query?: string): Promise<Awaited<ReturnType<FastifyInstance["inject"]>>>;
}

/** The headers that a browser adds to what a script of the page sends. */
export const fromOwnPage = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };

export const tokenOf = ({ accessTokenId: id, accessTokenSecret: secret }: CreatedTenant) => ({ id, secret });

export function openBrowser(
  server: FastifyInstance,
  headers: Record<string, string | undefined> = {},
): Browser {
  const browser: Browser = {
    cookie: undefined,
    setCookie: undefined,
    async send(request) {
      const cookie = browser.cookie === undefined ? {} : { cookie: browser.cookie };
      const all = { ...fromOwnPage, ...headers, ...cookie, ...request.headers };
      const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const response = await server.inject({ ...request, headers: sent });
      const set = response.headers["set-cookie"];
      if (set !== undefined) {
        browser.setCookie = String(set);
        const [pair = ""] = browser.setCookie.split(";");
        browser.cookie = pair.endsWith("=") ? undefined : pair;
      }
      return response;
    },
    signIn: (tenant, { id, secret }) =>
      browser.send({
        ...{ method: "POST", url: "/console/session" },
        payload: { tenant, accessTokenId: id, accessTokenSecret: secret },
      }),
    ask: (tenant, query = "{ tenant { identifier } }") =>
      browser.send({ method: "POST", url: `/@${tenant}`, payload: { query } }),
  };
  return browser;
}
