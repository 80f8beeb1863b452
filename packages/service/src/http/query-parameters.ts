import { didYouMean, oneOf as listOf, quoted } from "@lading/schema/internal";
import type { FastifyInstance } from "fastify";
import { Rejection } from "../errors.ts";
import { HttpFailure } from "./http-failure.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The accepted query parameters of a tenant's route; default: none. */
    parameters?: readonly string[];
  }
}

export type Parameters<Names extends readonly string[]> = { readonly [Name in Names[number]]?: string };

/**
 * Refuses unknown query parameters of a tenant's route with 400: a misspelt one would otherwise be ignored. Also
 * refuses repeated ones.
 */
export function checkParameters(app: FastifyInstance): void {
  app.addHook("preValidation", async ({ query, routeOptions: { url, config } }) => {
    if (!url?.startsWith("/@:tenant")) return;
    const { parameters = [] } = config;
    for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
      if (!parameters.includes(name)) throw refused(unknownParameter(name, url, parameters));
      if (Array.isArray(value)) throw refused(`${name} is given more than once.`);
    }
  });
}

function unknownParameter(name: string, url: string, known: readonly string[]): string {
  if (known.length > 0) {
    const right = didYouMean(name, known, 1) ?? `it takes ${listOf(known)}.`;
    return `This address takes no parameter ${quoted(name)}; ${right}`;
  }
  const where = graphqlAddress.test(url) ? " Send a query in the body of a POST, as JSON." : "";
  return `This address takes no parameters, but ${quoted(name)} was given.${where}`;
}

const graphqlAddress = /^\/@:tenant(?:\/core)?$/;

/** Reads a query parameter that is one of some values; null if absent. */
export function oneOf<Value extends string>(
  parameter: string,
  values: readonly Value[],
  given: string | undefined,
): Value | null {
  const value = values.find((known) => known === given);
  if (given === undefined || value !== undefined) return value ?? null;
  throw refused(`${parameter} is "${given}"; it must be one of ${values.join(", ")}.`);
}

/** Reads a text query parameter; null if absent. */
export function textOf(parameter: string, given: string | undefined): string | null {
  if (given === undefined) return null;
  // The database rejects such a text, even in a comparison.
  if (given.includes("\0")) throw refused(`${parameter} cannot have a NUL character.`);
  return given;
}

/** Reads an integer query parameter of up to nine digits; null if absent. */
export function integerOf(parameter: string, given: string | undefined): number | null {
  const text = textOf(parameter, given);
  if (text === null || /^\d{1,9}$/.test(text)) return text === null ? null : Number(text);
  throw refused(`${parameter} is "${text}"; it must be a number, such as 404.`);
}

const refused = (message: string) => new HttpFailure(400, "ValidationError", message);

/** Throws an expected failure as the answer to a request, and any other error unchanged. */
export function throwAsFailure(error: unknown): never {
  if (error instanceof Rejection)
    throw new HttpFailure(
      error.statusCode,
      error.name,
      /[.?]$/.test(error.message) ? error.message : `${error.message}.`,
    );
  throw error;
}
