import type { ServiceOptions } from "../../settings/settings.ts";
import { settings } from "../../settings/settings.ts";
import { consoleFolder } from "./console-folder.ts";
import { isBuilt } from "./page-routes.ts";

/** Returns the address of the console of a service, with a slash at its end. */
export const consoleAddress = (publicUrl: string): string => `${publicUrl.replace(/\/$/, "")}/console/`;

/** Returns the address of the console; undefined where it is turned off, not built, or not served by this role. */
export function servedConsole(
  { role, console: isOn = settings.console.default }: Pick<ServiceOptions, "role" | "console">,
  publicUrl: string,
  folder: string | undefined = consoleFolder(),
): string | undefined {
  return role !== "runner" && isOn && isBuilt({ folder }) ? consoleAddress(publicUrl) : undefined;
}
