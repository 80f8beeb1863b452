import { fileLimits } from "@lading/schema";
import type { FastifyInstance } from "fastify";
import { HttpFailure } from "../http-failure.ts";

/**
 * Maximum number of values in the JSON of a request, as in an operation. A two-byte value takes a hundred bytes in
 * memory.
 */
const maximumValues = fileLimits.values;

/** Maximum number of members of an object: many different names are slow to parse and to walk. */
export const maximumMembers = 1_000;

/**
 * Parses the JSON of requests. Refuses a text with too many values, or an object with too many members, with 400 before
 * parsing.
 */
export function boundJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    // Some clients name a type for a body that they do not send.
    if (body.length === 0) return done(null);
    const excess = excessOf(body);
    if (excess !== undefined) return done(new HttpFailure(400, "TooManyValues", excess));
    return parse(request, body.toString("utf8"), done);
  });
}

const hint = "Send large inputs as a mass operation file.";
const tooManyValues = `The request's JSON has more than ${maximumValues} values. ${hint}`;
const tooManyMembers = `An object of the request's JSON has more than ${maximumMembers} members.`;

const [quote, backslash, comma, colon, list, object, listEnd, objectEnd] = [...Buffer.from('"\\,:[{]}')];

/**
 * Returns the message for a JSON text with too many values or members, if any. A comma or an opening bracket precedes
 * each value but the first; each member has a colon.
 */
function excessOf(text: Buffer): string | undefined {
  let values = 0;
  let members = 0;
  /** Member counts of the enclosing objects. */
  const around: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) at = endOfString(text, at);
    else if (byte === comma) values++;
    else if (byte === colon) members++;
    else if (byte === list || byte === object) {
      values++;
      around.push(members);
      members = 0;
    } else if (byte === listEnd || byte === objectEnd) members = around.pop() ?? 0;
    if (values > maximumValues) return tooManyValues;
    if (members > maximumMembers) return tooManyMembers;
  }
  return undefined;
}

/** Finds the closing quote of the string that begins at `start`, or the end of the text. */
function endOfString(text: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
}
