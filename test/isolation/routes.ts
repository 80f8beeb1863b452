import { type ChannelListener, subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { isRight, routeRights } from "../../packages/service/src/http/route-rights.ts";

/** Starts something, and collects the routes of the servers that it makes, such as `GET /@:tenant/dump.json`. */
export async function withRoutes<Started>(
  start: () => Promise<Started>,
): Promise<{ started: Started; routes: ReadonlySet<string> }> {
  const routes = new Set<string>();
  const collect: ChannelListener = (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const each of [method].flat()) routes.add(`${each} ${url}`);
    });
  };
  subscribe("fastify.initialization", collect);
  try {
    return { started: await start(), routes };
  } finally {
    unsubscribe("fastify.initialization", collect);
  }
}

/** The routes that need a right of a tenant's token. */
export const tenantRoutes = Object.entries(routeRights).flatMap(([route, needed]) =>
  isRight(needed) ? [{ route, right: needed }] : [],
);

/** Returns the method of a route, and an address of it: of a tenant, a task, and otherwise of nothing. */
export function addressOf(route: string, { tenant, task }: { tenant: string; task: string }) {
  const [method = "", url = ""] = route.split(" ");
  const path = url
    .replace(":tenant", tenant)
    .replace(":id", task)
    .replace(":width", "80")
    .replace(/:\w+|\*/g, "none")
    .replace(/export$/, "export?kind=products");
  return { method, path: path.startsWith("/") ? path : `/${path}` };
}
