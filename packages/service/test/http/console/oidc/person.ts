import type { FastifyInstance, InjectOptions } from "fastify";
import type { IdentityProvider } from "../../../../../../test/support/servers/identity-provider.ts";

export const publicUrl = "http://localhost";

type Answer = Pick<
  Awaited<ReturnType<FastifyInstance["inject"]>>,
  "statusCode" | "headers" | "body" | "json"
>;

/** A server that answers the browser, without a port or at one. */
interface Answering {
  inject(options: InjectOptions): Promise<Answer>;
}

/** The browser of a person, with the cookies of the service. */
export interface PersonBrowser {
  cookies: Map<string, string>;
  /** The `Set-Cookie` headers of the last answer with any. */
  set: string[];
  /** A request of a page of the service. */
  send(request: InjectOptions): Promise<Answer>;
  /** A navigation that another site began: it has no cookie with `SameSite=Strict`. */
  arrive(url: URL | string): Promise<Answer>;
  /** Begins a sign-in; returns the provider's URL. */
  begin(query?: string): Promise<string>;
  /** Signs in, by the provider's redirects. */
  signIn(query?: string): Promise<Answer>;
  ask(tenant: string, query?: string, variables?: object): Promise<Answer>;
  session(): string | undefined;
}

export function openPersonBrowser(
  server: Answering,
  idp: IdentityProvider,
  address = publicUrl,
): PersonBrowser {
  const request = async (options: InjectOptions, sends: (name: string) => boolean) => {
    const cookie = [...browser.cookies]
      .filter(([name]) => sends(name))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
    const answer = await server.inject({
      ...options,
      headers: { ...options.headers, ...(cookie && { cookie }) },
    });
    const set = [answer.headers["set-cookie"] ?? []].flat();
    if (set.length > 0) browser.set = set;
    for (const each of set) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === "") browser.cookies.delete(name);
      else browser.cookies.set(name, value);
    }
    return answer;
  };
  const browser: PersonBrowser = {
    cookies: new Map(),
    set: [],
    send: (options) =>
      request({ ...options, headers: { "sec-fetch-site": "same-origin", ...options.headers } }, () => true),
    arrive: (url) => {
      const { pathname, search } = new URL(url, address);
      return request({ url: pathname + search, headers: { "sec-fetch-site": "cross-site" } }, (name) =>
        name.includes("sign-in"),
      );
    },
    async begin(query = "") {
      const answer = await browser.send({ url: `/console/oidc/sign-in${query}` });
      if (answer.statusCode !== 303) throw new Error(`${answer.statusCode} ${answer.body}`);
      return String(answer.headers.location);
    },
    signIn: async (query) => browser.arrive(await idp.visit(await browser.begin(query))),
    ask: (tenant, query = "{ tenant { identifier } }", variables) =>
      browser.send({ method: "POST", url: `/@${tenant}`, payload: { query, variables } }),
    session: () => browser.cookies.get("lading-session-80"),
  };
  return browser;
}
