import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ServiceOptions } from "../../settings/settings.ts";
import { settings } from "../../settings/settings.ts";
import { errorCode } from "../../system/thrown.ts";
import { isBuilt } from "./page-routes.ts";

/** Returns the URL of a service's console, with a trailing slash. */
export const consoleAddress = (publicUrl: string): string => `${publicUrl.replace(/\/$/, "")}/console/`;

/** Returns the URL of the console; undefined if it is turned off, not built, or not served by this role. */
export function servedConsole(
  { role, console: isOn = settings.console.default }: Pick<ServiceOptions, "role" | "console">,
  publicUrl: string,
  folder: string | undefined = consoleFolder(),
): string | undefined {
  return role !== "runner" && isOn && isBuilt({ folder }) ? consoleAddress(publicUrl) : undefined;
}

/** Finds the folder of the built console, in the package `@lading/console`; undefined if that is not installed. */
export function consoleFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@lading/console/package.json")), "dist");
  } catch (error) {
    if (errorCode(error) === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
