import type { Random } from "../support/random.ts";
import { mutateJson, mutateText } from "./mutate.ts";

/** A request to the routes of the console, without its host. */
export interface SessionRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** None with GET. */
  body?: string;
}

const reportPath = "/console/csp-report";
const paths = [
  ...["/console/session", "/console/session", "/console/session/shop", "/console/session/%2e%2e"],
  ...[
    "/@shop/console-code",
    "/@%00/console-code",
    reportPath,
    reportPath,
    "/console",
    "/console/@shop/tasks",
  ],
  ...["/console/%2e%2e/%2e%2e/etc/passwd", "/console/..%2f..%2fetc%2fpasswd", "/console/%zz", "/console//x"],
  ...[
    "/console/assets/%2e%2e/index.html",
    "/console/assets/..%5c..%5cx",
    "/console/assets/%00",
    "/console/%ff",
  ],
];

const reports = (): Record<string, unknown>[] => [
  {
    "csp-report": { "effective-directive": "script-src", "blocked-uri": "https://x/?a#b", "line-number": 1 },
  },
  {
    list: [
      { type: "csp-violation", body: { effectiveDirective: "img-src", blockedURL: "data", lineNumber: 2 } },
    ],
  },
];

/** A request that a browser could send to the console, wrong in some ways, or in none. */
export function mutatedSessionRequest(random: Random, credentials: Record<string, string>): SessionRequest {
  const chosen = random.pick(paths);
  const path = random.chance(0.3) ? `/${encoded(random, mutateText(random, chosen.slice(1)))}` : chosen;
  const method = random.pick(["GET", "POST", "POST", "POST", "DELETE"]);
  const secret = random.pick(["x".repeat(43), "", "%", '"', "a; __Host-lading-session=b", "y".repeat(2_000)]);
  const headers = {
    ...(random.chance(0.9)
      ? { "sec-fetch-site": "same-origin" }
      : { origin: random.pick(["null", "http://[", ""]) }),
    ...(random.chance(0.5) ? { cookie: `__Host-lading-session=${secret}` } : {}),
  };
  if (method !== "POST") return { method, path, headers };
  const isReport = chosen === reportPath;
  const sent = isReport
    ? random.pick(reports())
    : random.pick([{ ...credentials }, { tenant: "shop", code: "x".repeat(43) }]);
  for (let i = random.below(4); i > 0; i--) mutateJson(random, sent);
  const text = JSON.stringify("list" in sent ? sent.list : sent) ?? "";
  const types = ["application/json", "application/csp-report", "application/reports+json", "text/plain"];
  const type = random.pick(isReport ? types : ["application/json", "application/json", random.pick(types)]);
  const other = random.pick([mutateText(random, text), "null", "[]", "[null]", '"text"', ""]);
  const body = random.chance(0.3) ? other : text;
  return { method, path, headers: { ...headers, "content-type": type }, body };
}

/** The text as an address may have it: what URLs cannot have is encoded, and at times everything is. */
const encoded = (random: Random, text: string): string =>
  random.chance(0.3)
    ? encodeURIComponent(text.toWellFormed())
    : [...text.toWellFormed()]
        .map((letter) => (/[!-~]/.test(letter) ? letter : encodeURIComponent(letter)))
        .join("");
