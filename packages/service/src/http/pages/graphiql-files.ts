import { promisify } from "node:util";
import { gzip } from "node:zlib";
import manifest from "@graphql-yoga/render-graphiql/package.json" with { type: "json" };

/** The version of GraphiQL, part of its files' URLs so that browsers may cache them for good. */
export const graphiqlVersion = manifest.version;

interface GraphiqlFile {
  readonly type: string;
  readonly text: string;
  readonly gzipped: Buffer;
}

const javascript = "text/javascript; charset=utf-8";

/** The files of GraphiQL, with the package export that has the text of each. */
const files = {
  "graphiql.js": { text: "js", type: javascript },
  "graphiql.css": { text: "css", type: "text/css; charset=utf-8" },
  "editor.worker.js": { text: "editorWorkerService", type: javascript },
  "json.worker.js": { text: "jsonWorker", type: javascript },
  "graphql.worker.js": { text: "graphqlWorker", type: javascript },
} as const;

const isFile = (name: string): name is keyof typeof files => Object.hasOwn(files, name);

const compressed = new Map<string, Promise<GraphiqlFile>>();

/** Returns a file by its name; undefined when there is none. Loads the 9 MB on first use. */
export function graphiqlFile(name: string): Promise<GraphiqlFile> | undefined {
  if (!isFile(name)) return undefined;
  const loading = compressed.get(name) ?? loadFile(name);
  compressed.set(name, loading);
  return loading;
}

async function loadFile(name: keyof typeof files): Promise<GraphiqlFile> {
  const texts = await import("@graphql-yoga/render-graphiql/graphiql");
  const text = texts[files[name].text];
  return { type: files[name].type, text, gzipped: await promisify(gzip)(text) };
}
