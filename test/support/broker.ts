import { inject } from "vitest";
import type {} from "./vitest/global-setup.ts";

/** Gets what the files of a test run share: see `postgresBroker`. */
export async function askBroker(path: string): Promise<string> {
  const response = await fetch(new URL(path, inject("postgresBroker")));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** The folder of the bundled command; undefined in other programs, such as a bench, which execute sources. */
export const bundleFolder = async (): Promise<string | undefined> =>
  process.env.VITEST === undefined ? undefined : askBroker("/bundle");
