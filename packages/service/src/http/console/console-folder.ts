import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { errorCode } from "../../system/thrown.ts";

/** Finds the folder of the built console, in the package `@lading/console`; undefined where that is not installed. */
export function consoleFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@lading/console/package.json")), "dist");
  } catch (error) {
    if (errorCode(error) === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
