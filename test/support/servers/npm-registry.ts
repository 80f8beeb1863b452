import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "./port.ts";

/** A version as npm publishes it: the fields that are read here. */
interface PublishedVersion {
  name: string;
  version: string;
  dist: { integrity: string; tarball: string };
}

interface Document {
  name: string;
  "dist-tags": Record<string, string>;
  versions: Record<string, PublishedVersion>;
  _attachments: Record<string, { data: string }>;
}

/** A registry of npm in memory: publishes versions to those with its token, once each, and serves them. */
export interface NpmRegistry {
  url: string;
  token: string;
  /** The versions that were published, `name@version`, in that order. */
  published: string[];
  /** The tags of a package, each with the version published with it last; the first version is `latest`, too. */
  tags(name: string): Record<string, string>;
  /** The bytes of a version. */
  tarball(version: string): Buffer;
  /** From now on each request is answered with this status. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const versions = new Map<string, { manifest: PublishedVersion; tarball: Buffer }>();
  const token = "a token of the registry";
  const tags = new Map<string, Record<string, string>>();
  let failure: number | undefined;

  const publish = (document: Document): number => {
    const { name, versions: sent, _attachments: attachments } = document;
    const [[version, manifest]] = Object.entries(sent) as [[string, PublishedVersion]];
    const [{ data }] = Object.values(attachments) as [{ data: string }];
    if (versions.has(`${name}@${version}`)) return 403;
    versions.set(`${name}@${version}`, { manifest, tarball: Buffer.from(data, "base64") });
    tags.set(name, { ...(tags.get(name) ?? { latest: version }), ...document["dist-tags"] });
    return 201;
  };
  const read = (path: string): object | Buffer | undefined => {
    const [, file] = /^\/-\/(.+)$/.exec(path) ?? [];
    if (file !== undefined) return versions.get(file)?.tarball;
    const [, name = "", version] = /^\/((?:@[^/]+\/)?[^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    const found = [...versions.values()]
      .filter(({ manifest }) => manifest.name === name)
      .map(({ manifest }) => {
        const tarball = `${url}-/${name}@${manifest.version}`;
        return { ...manifest, dist: { ...manifest.dist, tarball } };
      });
    if (version !== undefined) return found.find((each) => each.version === version);
    if (found.length === 0) return undefined;
    const byVersion = Object.fromEntries(found.map((each) => [each.version, each]));
    return { name, "dist-tags": tags.get(name), versions: byVersion };
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "").replace(/\?.*/, "");
    if (failure !== undefined) return response.writeHead(failure).end("{}");
    if (request.method === "PUT") {
      const mayPublish = request.headers.authorization === `Bearer ${token}`;
      const document = (await json(request)) as Document;
      return response.writeHead(mayPublish ? publish(document) : 401).end("{}");
    }
    const body = read(path);
    if (body === undefined) return response.writeHead(404).end("{}");
    return response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  const url = `http://127.0.0.1:${await listen(server)}/`;
  return {
    url,
    token,
    get published() {
      return [...versions.keys()];
    },
    tarball: (version) => versions.get(version)!.tarball,
    tags: (name) => tags.get(name) ?? {},
    answerWith: (status) => {
      failure = status;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
