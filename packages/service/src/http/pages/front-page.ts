import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpFailure } from "../http-failure.ts";
import { pageHeaders } from "./page-headers.ts";

const headers = pageHeaders({ "style-src": "'unsafe-inline'", "img-src": "data:", "form-action": "'self'" });

/** Links of the page, each shown if the service serves its path. */
const links = [
  { address: "console", what: "the console: tasks, failures and data, for people" },
  { address: "schema/mass-operation.json", what: "the JSON Schema of operation files, for editors" },
  { address: "health/ready", what: "whether the service accepts requests" },
  { address: "health/live", what: "whether the process is up" },
];

/** A form instead of a link: only the reader knows the tenant. */
const graphiqlForm = `<form action="graphiql">
<p><label>GraphiQL for the tenant <input name="tenant" required autocomplete="off" spellcheck="false"></label>
<button>Open</button></p>
</form>
`;

/** Makes the page; `has` tells which paths the service serves. */
const frontPage = (has: (address: string) => boolean) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lading</title>
<link rel="icon" href="data:,">
<style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }</style>
</head>
<body>
<h1>Lading</h1>
<p>This is a Lading service. It runs mass operation files: upload one, and its operations are executed in order, each
once. The API of a tenant is GraphQL: <code>POST /@{tenant}</code>, with an access token.</p>
${has("graphiql") ? graphiqlForm : ""}<ul>
${links
  .filter(({ address }) => has(address))
  .map(({ address, what }) => `<li><a href="${address}">${address}</a>: ${what}</li>`)
  .join("\n")}
</ul>
</body>
</html>
`;

type FormRequest = FastifyRequest<{ Querystring: { tenant?: unknown } }>;

/** Adds `/`, a page that says what the service is and links to what it has for a browser. */
export function frontPageRoutes(
  app: FastifyInstance,
  { graphiql, hasConsole }: { graphiql: boolean; hasConsole: () => boolean },
): void {
  const has = (address: string) =>
    address === "console" ? hasConsole() : app.hasRoute({ method: "GET", url: `/${address}` });
  app.get("/", (_request, reply) =>
    reply.headers(headers).type("text/html; charset=utf-8").send(frontPage(has)),
  );
  if (!graphiql) return;
  app.get("/graphiql", (request: FormRequest, reply) => {
    const { tenant } = request.query;
    if (typeof tenant !== "string" || tenant.trim() === "")
      throw new HttpFailure(400, "BadRequest", "Name the tenant: /graphiql?tenant=<identifier>.");
    return reply.headers(headers).redirect(`@${encodeURIComponent(tenant.trim())}`, 303);
  });
}
