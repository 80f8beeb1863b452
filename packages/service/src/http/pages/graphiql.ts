import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpFailure } from "../http-failure.ts";
import { graphiqlFile, graphiqlVersion } from "./graphiql-files.ts";
import { pageHeaders } from "./page-headers.ts";

/** The folder of GraphiQL's files. URLs are relative to `/@{tenant}`, so that a proxy may add a prefix. */
const folder = `graphiql/${graphiqlVersion}`;

/** GraphiQL's editor adds style elements at run time, and its style sheet embeds its fonts and images. */
const headers = pageHeaders({
  "script-src": "'self'",
  "worker-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "font-src": "'self' data:",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "form-action": "'none'",
});

/** The same page for every tenant: GraphiQL sends its queries to the URL it was loaded from. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>GraphiQL – Lading</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/graphiql.css">
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<div id="root">Loading GraphiQL …</div>
<script src="${folder}/graphiql.js"></script>
<script src="${folder}/start.js"></script>
</body>
</html>
`;

/**
 * Makes the script that starts GraphiQL. Access tokens are never stored in the browser, no cookie is sent, every
 * operation is a POST (subscriptions too), and the text of a query stays out of the page's URL, which proxies log.
 * GraphiQL loads the schema when it starts, before there is a token, and again only by its button: so the script
 * presses that button once the headers have been complete for a second.
 */
const startScript = (headerWord: string) => `const workers = {
  editorWorkerService: "editor.worker.js",
  json: "json.worker.js",
  graphql: "graphql.worker.js",
};
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => new URL("${folder}/" + workers[label], location.href).href,
};
let pause;
function loadSchema(headers) {
  clearTimeout(pause);
  pause = setTimeout(() => {
    try {
      if (Object.values(JSON.parse(headers)).includes("")) return;
      document.querySelector('button[aria-label^="Re-fetch"]').click();
    } catch {
      // The headers are being written.
    }
  }, 1000);
}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector("#root"), {
  title: "Lading",
  credentials: "omit",
  shouldPersistHeaders: false,
  method: "POST",
  useGETForQueries: false,
  onEditHeaders: loadSchema,
  onEditQuery: () => {},
  defaultEditorToolsVisibility: "headers",
  headers: ${JSON.stringify(tokenHeaders(headerWord))},
  defaultQuery: "# Put an access token into the headers below.\\n\\n{\\n  tenant {\\n    identifier\\n    name\\n  }\\n}\\n",
});
`;

const tokenHeaders = (word: string) =>
  JSON.stringify({ [`X-${word}-Access-Token-Id`]: "", [`X-${word}-Access-Token-Secret`]: "" }, undefined, 2);

/**
 * Adds GraphiQL at `/@{tenant}`, for clients that accept HTML. The page reveals nothing about the tenant, not even
 * whether it exists; its queries need an access token like any other.
 */
export function graphiqlRoutes(app: FastifyInstance, headerWord: string): void {
  const script = startScript(headerWord);
  app.get("/@:tenant", (request, reply) => {
    reply.header("vary", "Accept");
    if (!request.headers.accept?.includes("text/html")) return reply.callNotFound();
    return reply.headers(headers).type("text/html; charset=utf-8").send(page);
  });
  app.get(`/${folder}/start.js`, (_request, reply) =>
    reply.headers(headers).type("text/javascript; charset=utf-8").send(script),
  );
  app.get(`/${folder}/:file`, sendFile);
}

async function sendFile(
  request: FastifyRequest<{ Params: { file: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await graphiqlFile(request.params.file);
  if (file === undefined)
    throw new HttpFailure(404, "NotFound", `GraphiQL has no file ${JSON.stringify(request.params.file)}.`);
  reply
    .headers({ ...headers, "cache-control": "public, max-age=31536000, immutable", vary: "Accept-Encoding" })
    .type(file.type);
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"]))) return reply.send(file.text);
  return reply.header("content-encoding", "gzip").send(file.gzipped);
}
