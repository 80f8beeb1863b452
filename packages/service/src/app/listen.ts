import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { buildInspectionServer } from "../http/inspection-server.ts";
import { type ServiceOptions, settings } from "../settings/settings.ts";
import { listening } from "./start-errors.ts";

/** Opens the separate metrics port, if a setting names one. */
export async function openMetricsServer(
  { metricsPort: port, host }: ServiceOptions,
  inspection: Parameters<typeof buildInspectionServer>[0],
) {
  if (port === undefined) return undefined;
  const server = buildInspectionServer({ ...inspection, servesMetrics: true });
  await listen(server, { port, host }, settings.metricsPort.variable);
  return server;
}

/** Listens on the address of the options and returns its URL. `setting` names the port's setting in messages. */
export async function listen(
  server: FastifyInstance,
  options: Pick<ServiceOptions, "port" | "host">,
  setting: string = settings.port.option,
): Promise<string> {
  const where = { port: options.port ?? settings.port.default, host: options.host ?? settings.host.default };
  await listening({ ...where, setting: setting.replace(/ .*/, "") }, () => server.listen(where));
  const { address, port, family } = server.server.address() as AddressInfo;
  const host =
    { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[address] ?? (family === "IPv6" ? `[${address}]` : address);
  return `http://${host}:${port}`;
}
