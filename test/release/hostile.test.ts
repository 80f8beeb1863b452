import { expect, test } from "vitest";
import { attacks } from "../hostile/attacks/index.ts";
import { besiege } from "../hostile/siege.ts";
import { freshDatabase } from "../support/database.ts";

/** Duration of one attack, the minimum of `besiege`. */
const seconds = 3;

/** One of each kind: templates, queries, files, images, connections. `npm run hostile` runs all, on both engines. */
const names = [
  "templates-that-loop",
  "lookups-under-900-aliases",
  "a-large-operation-of-unknown",
  "an-image-of-3200-sizes",
  "thumbnails-of-hostile-images",
  "logs-that-nobody-reads",
];

test.each(names)(
  "a well-behaved tenant is served in time, and the process stays small, during %s",
  async (name) => {
    const attack = attacks.find((one) => one.name === name);
    if (attack === undefined) throw new Error(`there is no attack "${name}"`);
    const database = await freshDatabase();
    try {
      const options = { engine: "postgresql", databaseUrl: database.url, seconds } as const;
      const figures = await besiege(attack, options);
      expect(figures, JSON.stringify(figures)).toMatchObject({ beyond: [], wrong: [] });
    } finally {
      await database.drop();
    }
  },
);
