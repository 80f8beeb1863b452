import { fileLimits } from "@lading/schema";
import type { FastifyInstance } from "fastify";
import { HttpFailure } from "./failures.ts";

/** How many values the JSON of a request may have: as many as an operation. One of two bytes takes a hundred in memory. */
const maximumValues = fileLimits.values;

/** Parses the JSON of requests; refuses with 400 what has more values than an operation may have, before it becomes objects. */
export function boundJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (hasMoreValues(body, maximumValues)) return done(tooManyValues());
    return parse(request, body.toString("utf8"), done);
  });
}

const tooManyValues = () =>
  new HttpFailure(
    400,
    "TooManyValues",
    `The request's JSON has more than ${maximumValues} values. Send so much as a mass operation file.`,
  );

const [quote, backslash, comma, list, object] = [...Buffer.from('"\\,[{')];

/** Whether a JSON text has more values than so many: each comes after a comma or a bracket, or is the only one. */
function hasMoreValues(text: Buffer, limit: number): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) at = endOfString(text, at);
    else if (byte === comma || byte === list || byte === object) values++;
    if (values > limit) return true;
  }
  return false;
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
