import type { Intent } from "@lading/schema";
import { reject } from "../errors.ts";
import type { Command } from "./command.ts";

/** Stands in the registry for an intent that this service cannot execute yet: fails with `NotImplemented`. */
export function notImplemented<I extends Intent>(intent: I): Command<I> {
  return {
    execute: async () =>
      reject("NotImplemented", `${intent} is not implemented by this version of the service`),
  };
}
