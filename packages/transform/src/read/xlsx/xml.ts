import { SaxesParser } from "saxes";
import { DataError } from "../../issues.ts";
import { damaged } from "./zip.ts";

export type Attributes = Readonly<Record<string, string>>;

/** Gets what is in a part, by the names of elements without their prefix. */
export interface Handlers {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Parses a part of a workbook. Yields after each chunk, so that reading can end early. Entities of a document type are
 * not expanded: they are errors.
 *
 * @throws DataError when it is not XML
 */
export async function* parsing(part: string, chunks: AsyncIterable<Uint8Array>, handlers: Handlers) {
  const parser = new SaxesParser<{ xmlns?: false; position: false }>({ position: false });
  parser.on("opentag", ({ name, attributes }) => handlers.open(local(name), attributes));
  if (handlers.text !== undefined)
    for (const kind of ["text", "cdata"] as const) parser.on(kind, handlers.text.bind(handlers));
  if (handlers.close !== undefined) parser.on("closetag", ({ name }) => handlers.close!(local(name)));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of chunks) {
    refusing(part, () => parser.write(decoder.decode(chunk, { stream: true })));
    yield;
  }
  refusing(part, () => parser.close());
}

/** Parses a whole part. */
export async function parse(...input: Parameters<typeof parsing>): Promise<void> {
  for await (const _ of parsing(...input));
}

const local = (name: string) => name.slice(name.indexOf(":") + 1);

function refusing(part: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof DataError || !(error instanceof Error)) throw error;
    throw damaged(`the part ${part} is not XML (${error.message})`);
  }
}
