import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Attack, type Attacker, many, tally } from "../attack.ts";

/** The longest attack by connections alone, in milliseconds. */
const duration = 20_000;

/** Connections opened at a time, and the pause, in milliseconds: the attack is holding connections, not flooding. */
const [concurrent, openingPause] = [50, 25];

/** The interval of sending on each connection, in milliseconds; the most patient attacker needs a few seconds. */
const ticking = 1_000;

async function openMany(
  count: number,
  one: (i: number) => Promise<Socket | undefined>,
): Promise<(Socket | undefined)[]> {
  const opened: (Socket | undefined)[] = [];
  while (opened.length < count) {
    const from = opened.length;
    opened.push(...(await Promise.all(many(Math.min(concurrent, count - from), (i) => one(from + i)))));
    await delay(openingPause);
  }
  return opened;
}

const addressOf = ({ url }: Attacker) => new URL(url);

/** Opens a connection and sends a text; what comes back stays unread where it is to. */
async function open(attacker: Attacker, text: string, read = true): Promise<Socket | undefined> {
  const { hostname, port } = addressOf(attacker);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  if (!read) socket.pause();
  else socket.resume();
  const ready = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "close").then(() => false),
  ]).catch(() => false);
  if (!ready) return undefined;
  socket.write(text);
  return socket;
}

function head(method: string, path: string, attacker: Attacker, more = ""): string {
  const { accessTokenId, accessTokenSecret } = attacker.client.access;
  return [
    `${method} ${path} HTTP/1.1`,
    `Host: ${addressOf(attacker).host}`,
    `X-Service-Access-Token-Id: ${accessTokenId}`,
    `X-Service-Access-Token-Secret: ${accessTokenSecret}`,
    `${more}\r\n`,
  ].join("\r\n");
}

/** Holds connections for a while; answers how many there were and how many the service closed meanwhile. */
async function hold(
  attacker: Attacker,
  sockets: readonly (Socket | undefined)[],
  tick = (_: Socket) => {},
  interval = ticking,
): Promise<string> {
  const opened = sockets.filter((socket) => socket !== undefined);
  const until = performance.now() + duration;
  while (performance.now() < until && !attacker.over.aborted) {
    for (const socket of opened) if (!socket.destroyed) tick(socket);
    await delay(interval);
  }
  const closed = opened.filter(({ destroyed }) => destroyed).length;
  for (const socket of opened) socket.destroy();
  return `${opened.length} connections, ${closed} closed by the service`;
}

/** A task with a log of 200 MiB. */
let longLog = "";
const prepareLog = async ({ start, ended }: Attacker) => {
  longLog = await start(
    many(200, (i) => ({
      intent: "customer/upsert",
      identifier: `c-${i}`,
      firstName: "x".repeat(1024 ** 2),
      key: i,
    })),
  );
  const state = await ended(longLog);
  if (state !== "complete") throw new Error(`there is no log to read: ${state}`);
};

const readersOf = (path: (id: string) => string, count: number) => async (attacker: Attacker) => {
  const { pathname } = new URL(attacker.client.address);
  const request = head("GET", `${pathname}/tasks/${path(longLog)}`, attacker);
  return hold(attacker, await openMany(count, () => open(attacker, request, false)));
};

/** The fields of an upload form up to the bytes of its file. */
async function formHead({ client }: Attacker): Promise<{ path: string; text: string }> {
  const { request } = await client.graphql<{
    request: { url: string; fields: { name: string; value: string }[] };
  }>(
    `mutation { request: generatePresignedUploadRequest(
       input: {type: MASS_OPERATIONS, filename: "operations.json", contentType: "application/json"}) {
       ... on PresignedUploadRequest { url fields { name value } } ... on BasicError { error } } }`,
  );
  const parts = request.fields.map(
    ({ name, value }) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  return { path: new URL(request.url).pathname, text: parts.join("") + file };
}

/** Requests exports, one after the other on each connection; what comes back stays unread unless `read`. */
const exportsOf = (query: string, count: number, read: boolean) => async (attacker: Attacker) => {
  const { pathname } = new URL(attacker.client.address);
  const request = head("GET", `${pathname}/export?${query}`, attacker);
  const sockets = await openMany(count, () => open(attacker, request, read));
  return hold(attacker, sockets, (socket) => socket.write(request));
};

export const connectionAttacks: Attack[] = [
  {
    name: "exports-that-are-not-read",
    prepare: prepareLog,
    run: exportsOf("kind=customers", 100, false),
  },
  {
    name: "exports-that-find-nothing",
    prepare: prepareLog,
    run: exportsOf("kind=customers&where=phone%20%3D%20none", 100, true),
  },
  {
    name: "half-open-connections",
    run: async (attacker) =>
      hold(
        attacker,
        await openMany(3_000, () => open(attacker, "POST /@attacker HTTP/1.1\r\nHost: a\r\n")),
        (socket) => socket.write("X: y\r\n"),
      ),
  },
  {
    name: "bodies-that-trickle",
    run: async (attacker) => {
      const text = head(
        "POST",
        "/@attacker",
        attacker,
        "Content-Type: application/json\r\nContent-Length: 8000000\r\n",
      );
      return hold(attacker, await openMany(1_000, () => open(attacker, text)), (socket) => socket.write(" "));
    },
  },
  {
    name: "uploads-that-trickle",
    run: async (attacker) => {
      const sockets = await openMany(300, async () => {
        const { path, text } = await formHead(attacker);
        const type = "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 500000000\r\n";
        return open(attacker, head("POST", path, attacker, type) + text);
      });
      return hold(attacker, sockets, (socket) => socket.write("x"));
    },
  },
  {
    name: "uploads-without-end",
    run: async (attacker) => {
      const forms = await Promise.all(many(8, () => formHead(attacker)));
      const stretch = Buffer.alloc(256 * 1024, "x");
      const sockets = forms.map(({ path, text }) =>
        open(
          attacker,
          head(
            "POST",
            path,
            attacker,
            `Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n`,
          ) + chunk(Buffer.from(text)),
        ),
      );
      const push = (socket: Socket) => {
        if (socket.writableLength < 4 * stretch.length) socket.write(chunk(stretch));
      };
      return hold(attacker, await Promise.all(sockets), push, 100);
    },
  },
  {
    name: "logs-that-nobody-reads",
    prepare: prepareLog,
    run: readersOf((id) => `${id}/operations.jsonl`, 30),
  },
  {
    name: "events-that-nobody-reads",
    prepare: async (attacker) => {
      longLog = await attacker.start(
        many(20_000, (i) => ({ intent: "customer/upsert", identifier: `c-${i}` })),
      );
    },
    run: readersOf((id) => `${id}/events`, 500),
  },
  {
    name: "subscriptions-by-the-hundred",
    prepare: async (attacker) => {
      longLog = await attacker.start(
        many(20_000, (i) => ({ intent: "customer/upsert", identifier: `c-${i}` })),
      );
    },
    run: async (attacker) => {
      const body = JSON.stringify({
        query: `subscription ($id: ID!) { bulkTask(id: $id) {
          ... on BulkTaskMassOperation { id status progress { processed } } ... on BasicError { error } } }`,
        variables: { id: longLog },
      });
      const text = head(
        "POST",
        "/@attacker",
        attacker,
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`,
      );
      return hold(attacker, await openMany(600, () => open(attacker, text + body, false)));
    },
  },
  {
    name: "log-pages-of-large-entries",
    prepare: prepareLog,
    run: async (attacker) => {
      const text = JSON.stringify({
        query: `query ($id: ID!) { operationLogs(filter: {operationId: $id}, first: 1000) { edges { node { input command } } } }`,
        variables: { id: longLog },
      });
      const answers = await Promise.all(
        many(4, () => attacker.post(text).catch(({ message }: Error) => ({ status: 0, message }))),
      );
      return tally(answers.map(({ status, message }) => `${status} ${message}`));
    },
  },
];

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
