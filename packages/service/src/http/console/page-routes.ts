import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import serveFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorCode } from "../../system/thrown.ts";
import { answerBadAddress } from "../failures.ts";
import { pageHeaders } from "../pages/page-headers.ts";
import { logWhenAnswered } from "../request-log.ts";
import { reportPath } from "./csp-reports.ts";

/** The built console, and the origins it may use in addition to the service's own. */
export interface ConsoleFiles {
  /** Its folder, with `index.html` and `assets`, once it is built. */
  folder: string;
  /** Lists the URLs under which images are served and uploads are received. */
  otherAddresses: () => readonly string[];
}

/** The placeholder in the built page for the nonce of an answer. */
const nonceMark = "__LADING_CONSOLE_NONCE__";

/** Their names contain a hash of their content. */
const assetLifetime = "365d";

/** A worker has its own file's policy. */
const assetHeaders = {
  ...pageHeaders({ "script-src": "'self'", "connect-src": "'self'" }),
  "cross-origin-resource-policy": "same-origin",
  vary: "Accept-Encoding",
};

/**
 * Adds the console: its page at `/console` and below, where its own router reads the URL, and its files at
 * `/console/assets`, compressed if the build made a `.br` or `.gz` file. Answers 503 until it is built.
 */
export function consolePages(app: FastifyInstance, files: ConsoleFiles): void {
  const page = (_request: FastifyRequest, reply: FastifyReply) => sendPage(files, reply);
  app.get("/console", page);
  app.get("/console/*", page);
  const { "cache-control": _, ...headers } = assetHeaders;
  app.register(serveFiles, {
    root: join(files.folder, "assets"),
    prefix: "/console/assets/",
    ...{ decorateReply: false, index: false, redirect: false, dotfiles: "ignore", suppressWarning: true },
    ...{ preCompressed: true, maxAge: assetLifetime, immutable: true },
    setHeaders: (reply) => reply.headers(headers),
  });
}

/**
 * As `answerBadAddress`, but answers an address of the console with its page, whose router says that there is no such
 * page.
 */
export const answerBadConsoleAddress =
  (files: ConsoleFiles): typeof answerBadAddress =>
  (error, request, reply) => {
    const { method, url } = request;
    const isOfPage = method === "GET" && /^\/console\/(?!assets\/)/.test(url);
    if (!isOfPage) return answerBadAddress(error, request, reply);
    logWhenAnswered(request, reply);
    sendPage(files, reply).catch(() => answerBadAddress(error, request, reply));
  };

async function sendPage(
  { folder, otherAddresses }: ConsoleFiles,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const html = await builtPage(folder);
  if (html === undefined)
    return reply
      .code(503)
      .headers({ ...pageHeaders(), "cache-control": "no-store" })
      .type("text/plain; charset=utf-8")
      .send(
        "The console is not built. Run `npm run build:console` in the clone of Lading, and reload this page.\n",
      );
  const nonce = randomBytes(16).toString("base64");
  return reply
    .headers(headersOf(nonce, otherAddresses()))
    .type("text/html; charset=utf-8")
    .send(html.replaceAll(nonceMark, nonce));
}

export const isBuilt = ({ folder }: Pick<ConsoleFiles, "folder">): boolean =>
  existsSync(join(folder, "index.html"));

/** Reads the page each time: it is small, and a build may replace it while the service runs. */
async function builtPage(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, "index.html"), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

const forbiddenFeatures = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"];

/** The headers of the page; it loads nothing from elsewhere except images and uploads. */
function headersOf(nonce: string, otherAddresses: readonly string[]) {
  const others = [...new Set(otherAddresses.map((address) => new URL(address).origin))];
  const own = ["'self'", ...others].join(" ");
  return {
    ...pageHeaders({
      "script-src": `'nonce-${nonce}'`,
      "style-src": `'nonce-${nonce}'`,
      "worker-src": "'self'",
      "font-src": "'self'",
      "img-src": `${own} data:`,
      "connect-src": own,
      "form-action": "'self'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "lading-console",
      "report-uri": reportPath,
      "report-to": "csp",
    }),
    // The nonce is valid for one answer.
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": forbiddenFeatures.map((feature) => `${feature}=()`).join(", "),
    "reporting-endpoints": `csp="${reportPath}"`,
  };
}
