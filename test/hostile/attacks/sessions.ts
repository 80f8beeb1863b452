import { Agent, request } from "node:http";
import { type Attack, type Attacker, many, tally } from "../attack.ts";

interface Knock {
  method?: "GET" | "POST" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Requests of an attack, and how many of them are concurrent. */
const [mostRequests, concurrent] = [30_000, 64];

/** Of 127.0.0.0/8, all of which is this machine: the neighbour has an address that the attacker has not. */
const addresses = many(200, (i) => `127.0.0.${i + 2}`);

/** Sends requests as pages of the service would, from all addresses in turn; answers how many had which status. */
async function knock({ url, over }: Attacker, make: (i: number) => Knock): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const agents = addresses.map((localAddress) => new Agent({ localAddress, keepAlive: true }));
  const send = (i: number) =>
    new Promise<number | string>((resolve) => {
      const { method = "POST", path, headers, body } = make(i);
      const sent = request(
        {
          ...{ hostname, port, path, method, agent: agents[i % agents.length] },
          headers: {
            ...{ host, "sec-fetch-site": "same-origin" },
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
        },
        (response) => response.resume().on("close", () => resolve(response.statusCode ?? 0)),
      );
      sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end(body);
    });
  const statuses: (number | string)[] = [];
  let next = 0;
  const knocker = async () => {
    while (next < mostRequests && !over.aborted) statuses.push(await send(next++));
  };
  await Promise.all(many(concurrent, knocker));
  for (const agent of agents) agent.destroy();
  return tally(statuses);
}

const session = "/console/session";
const credentialsOf = ({ client: { access } }: Attacker) =>
  JSON.stringify({
    tenant: "attacker",
    accessTokenId: access.accessTokenId,
    accessTokenSecret: access.accessTokenSecret,
  });
const secretOf = (i: number) => `${i}`.padStart(43, "x");
const cookieOf = (attacker: Attacker, secret: string) =>
  `lading-session-${new URL(attacker.url).port}=${secret}`;

/** Opens as many sessions as the attacker's token may have; answers their cookies. */
async function sessionsOf(attacker: Attacker): Promise<string[]> {
  const opened = await Promise.all(
    many(20, () =>
      fetch(attacker.url + session, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin", "content-type": "application/json" },
        body: credentialsOf(attacker),
      }),
    ),
  );
  return opened.flatMap((answer) =>
    answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? ""),
  );
}

export const sessionAttacks: Attack[] = [
  {
    name: "guesses-of-codes",
    run: (attacker) =>
      knock(attacker, (i) => ({
        path: session,
        body: JSON.stringify({ tenant: "neighbour", code: secretOf(i) }),
      })),
  },
  {
    name: "guesses-of-sessions",
    run: (attacker) =>
      knock(attacker, (i) => ({
        ...{ method: "GET", path: session },
        headers: { cookie: cookieOf(attacker, secretOf(i)) },
      })),
  },
  {
    name: "sign-ins-by-the-thousand",
    run: (attacker) => {
      const body = credentialsOf(attacker);
      return knock(attacker, () => ({ path: session, body }));
    },
  },
  {
    name: "codes-by-the-thousand",
    run: (attacker) => {
      const { accessTokenId, accessTokenSecret } = attacker.client.access;
      const headers = {
        "x-service-access-token-id": accessTokenId,
        "x-service-access-token-secret": accessTokenSecret,
      };
      return knock(attacker, () => ({ path: "/@attacker/console-code", headers }));
    },
  },
  {
    name: "sessions-that-ask",
    run: async (attacker) => {
      const cookies = await sessionsOf(attacker);
      return knock(attacker, (i) => ({
        ...{ method: "GET", path: session },
        headers: { cookie: cookies[i % cookies.length] ?? "" },
      }));
    },
  },
  {
    name: "cookies-by-the-thousand",
    run: (attacker) => {
      // As many as the head of a request may have, and more.
      const some = many(3_000, (i) => `a${i}=`).join("; ");
      const headers = [some.slice(0, 15_000), some, "=;".repeat(7_500), '"'.repeat(15_000)];
      return knock(attacker, (i) => ({
        ...{ method: "GET", path: i % 2 === 0 ? session : "/@neighbour/dump.json" },
        headers: { cookie: headers[i % headers.length] ?? "" },
      }));
    },
  },
  {
    name: "bodies-for-sessions",
    run: (attacker) => {
      const bodies = [
        JSON.stringify({ tenant: "attacker", code: "x".repeat(4_000) }),
        JSON.stringify({ tenant: "attacker", code: "x".repeat(8 * 1024 ** 2) }),
        `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
        `{${many(400, (i) => `"k${i}":0`)}}`,
      ];
      return knock(attacker, (i) => ({ path: session, body: bodies[i % bodies.length] ?? "" }));
    },
  },
];
