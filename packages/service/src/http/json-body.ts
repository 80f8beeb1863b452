import { fileLimits } from "@lading/schema";
import type { FastifyInstance } from "fastify";
import { HttpFailure } from "./failures.ts";

/** How many values the JSON of a request may have: as many as an operation. One of two bytes takes a hundred in memory. */
const maximumValues = fileLimits.values;

/** How many members one of its objects may have: those of many different names are slow to parse and to walk. */
export const maximumMembers = 1_000;

/**
 * Parses the JSON of requests; refuses with 400 what has more values than an operation may have, or an object of too many
 * members, before it becomes objects.
 */
export function boundJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const excess = excessOf(body);
    if (excess !== undefined) return done(new HttpFailure(400, "TooManyValues", excess));
    return parse(request, body.toString("utf8"), done);
  });
}

const tooManyValues = `The request's JSON has more than ${maximumValues} values. Send so much as a mass operation file.`;
const tooManyMembers = `An object of the request's JSON has more than ${maximumMembers} members.`;

const [quote, backslash, comma, colon, list, object, listEnd, objectEnd] = [...Buffer.from('"\\,:[{]}')];

/** What a JSON text has too much of. Each value comes after a comma or a bracket, or is the only one; a member has a colon. */
function excessOf(text: Buffer): string | undefined {
  let values = 0;
  let members = 0;
  /** Members of the objects around, so far. */
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

/** Where the string that begins at a quote ends; the end of the text if it doesn't. */
function endOfString(text: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
}
