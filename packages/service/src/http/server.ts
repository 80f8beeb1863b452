import Fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { dumpReaders } from "../commands/registry.ts";
import type { PseudonymsOf } from "../domain/dump/anonymise/pseudonyms.ts";
import { type ServiceOptions, settings } from "../settings/settings.ts";
import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { type AccessOptions, accessControl } from "./access.ts";
import { trackConnections } from "./closing.ts";
import { reportRoute } from "./console/csp-reports.ts";
import { type SignInServices, signInRoutes } from "./console/oidc/sign-in-routes.ts";
import { answerBadConsoleAddress, type ConsoleFiles, consolePages, isBuilt } from "./console/page-routes.ts";
import { sessionRoutes } from "./console/session-routes.ts";
import { allowOrigins } from "./cors.ts";
import { answerBadAddress, answerFailures } from "./failures.ts";
import { type DumpTimeouts, dumpRoute } from "./files/dump-route.ts";
import { exportRoute } from "./files/export-route.ts";
import { imageRoutes } from "./files/image-routes.ts";
import { schemaRoute } from "./files/schema-route.ts";
import { taskFileRoute } from "./files/task-file-route.ts";
import { thumbnailRoute } from "./files/thumbnail-route.ts";
import { coreRoutes, type GraphqlApi, operatorRoute } from "./graphql-routes.ts";
import { healthRoutes, type Phase } from "./health.ts";
import { boundJsonBodies } from "./limits/json-body.ts";
import { type ClientTimeouts, defaultTimeouts, slowClientOptions } from "./limits/slow-clients.ts";
import { unreadAnswers } from "./limits/unread-answers.ts";
import { type MetricsSource, measureRequests, metricsRoute } from "./metrics.ts";
import { openStreams } from "./open-streams.ts";
import { frontPageRoutes } from "./pages/front-page.ts";
import { graphiqlRoutes } from "./pages/graphiql.ts";
import { checkParameters } from "./query-parameters.ts";
import { logRequests, requestLogOptions } from "./request-log.ts";
import { taskRoutes } from "./task-routes.ts";

/** The options of the API's server; those that are settings have the defaults of `settings.ts`. */
export interface ServerOptions
  extends Omit<AccessOptions, "headerWords" | "console" | "persons">,
    Pick<ServiceOptions, "bodyLimit" | "shutdownGrace" | "graphiql" | "console"> {
  database: Database;
  store: ObjectStore;
  logger: Logger;
  graphql: GraphqlApi;
  imageUrl: (key: string) => string;
  /** Returns the pseudonyms of a tenant, for dumps without personal data. */
  pseudonymsOf: PseudonymsOf;
  /** The files of the console, which is served unless `console` is false. Default: a console that is not built. */
  consoleFiles?: ConsoleFiles | undefined;
  headerWords?: readonly string[] | undefined;
  corsOrigins?: readonly string[] | undefined;
  trustedProxies?: readonly string[] | undefined;
  /** Signing in as a person, if a provider is set. */
  signIn?: SignInServices | undefined;
  /** Measures requests and serves `/metrics`; without it there is no such path. */
  metrics?: MetricsSource;
  /** False if another port serves `/metrics`. Default: true. */
  servesMetrics?: boolean;
  /** `ready` unless set. */
  phase?: () => Phase;
  /** The interval at which the tokens of open streams are checked, in milliseconds. Default 2,000. */
  tokenCheck?: number | undefined;
  /** Default: `defaultTimeouts`. */
  timeouts?: ClientTimeouts | undefined;
  /** Default: those of `files/dump-route.ts`. */
  dumpTimeouts?: DumpTimeouts | undefined;
}

const unbuilt: ConsoleFiles = { folder: import.meta.dirname, otherAddresses: () => [] };

/**
 * Builds the HTTP server: `POST /@{tenant}` and `/@{tenant}/core` (the Core API), `POST /operator`, `GET
 * /health/live`, `/health/ready`, `/metrics`, `/schema/mass-operation.json` and the pages for browsers. Every refusal
 * is `{message, errors}`. The composition root registers the upload routes and listens.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { database, store, logger, graphql } = options;
  const phase = options.phase ?? (() => "ready");
  const headerWords = options.headerWords ?? settings.headerWords.default;
  const { console: withConsole = settings.console.default, publicUrl = () => "" } = options;
  const { consoleFiles = unbuilt } = options;
  const { signIn } = options;
  const persons = signIn?.persons;
  const access = accessControl({ ...options, console: withConsole, headerWords, persons });
  const timeouts = options.timeouts ?? defaultTimeouts;
  const connections = trackConnections();
  const streams = openStreams({ database, logger, persons }, options.tokenCheck);
  const unread = unreadAnswers();
  const app = Fastify({
    serverFactory: connections.serverFactory,
    return503OnClosing: false,
    ...slowClientOptions(timeouts),
    ...requestLogOptions(logger),
    bodyLimit: options.bodyLimit ?? settings.bodyLimit.default,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    frameworkErrors: withConsole ? answerBadConsoleAddress(consoleFiles) : answerBadAddress,
  });
  app.removeContentTypeParser("text/plain");
  boundJsonBodies(app);
  logRequests(app);
  answerFailures(app);
  checkParameters(app);
  connections.closeWith(app, options.shutdownGrace ?? settings.shutdownGrace.default, streams.endAll);
  allowOrigins(app, options.corsOrigins ?? []);
  healthRoutes(app, { database, store, phase });
  const { metrics, servesMetrics = true } = options;
  if (metrics) measureRequests(app, metrics);
  if (metrics && servesMetrics) metricsRoute(app, metrics);
  schemaRoute(app);
  imageRoutes(app, { database, store });
  thumbnailRoute(app, { store, logger, unread }, access);
  taskRoutes(app, { store, streams }, access);
  taskFileRoute(app, { store, streams }, access);
  const { imageUrl, pseudonymsOf } = options;
  dumpRoute(app, { database, imageUrl, dumpReaders, pseudonymsOf, streams }, access, options.dumpTimeouts);
  exportRoute(app, { database, streams }, access, options.dumpTimeouts);
  coreRoutes(app, { graphql, streams, unread }, access, timeouts.body);
  operatorRoute(app, graphql, access, timeouts.body);
  if (withConsole) {
    sessionRoutes(app, { database, publicUrl, signIn }, access, timeouts.body);
    signInRoutes(app, { ...signIn, publicUrl }, access);
    reportRoute(app, timeouts.body);
    consolePages(app, consoleFiles);
  }
  const { graphiql = settings.graphiql.default } = options;
  frontPageRoutes(app, { graphiql, hasConsole: () => withConsole && isBuilt(consoleFiles) });
  if (graphiql) graphiqlRoutes(app, headerWords[0] ?? settings.headerWords.default[0]);
  return app;
}
