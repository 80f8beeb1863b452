import { join } from "node:path";
import type { ServiceOptions } from "../../settings/settings.ts";
import { settings } from "../../settings/settings.ts";
import { isBuilt } from "./page-routes.ts";

/** The folder of the console, once it is built. */
export const consoleFolder = join(import.meta.dirname, "../../../../console/dist");

/** Returns the URL of a service's console, with a trailing slash. */
export const consoleAddress = (publicUrl: string): string => `${publicUrl.replace(/\/$/, "")}/console/`;

/** Returns the URL of the console; undefined if it is turned off, not built, or not served by this role. */
export function servedConsole(
  { role, console: isOn = settings.console.default }: Pick<ServiceOptions, "role" | "console">,
  publicUrl: string,
  folder = consoleFolder,
): string | undefined {
  return role !== "runner" && isOn && isBuilt({ folder }) ? consoleAddress(publicUrl) : undefined;
}
