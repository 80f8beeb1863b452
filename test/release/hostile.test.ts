import { describe, expect, test } from "vitest";
import { attacks } from "../hostile/attacks/index.ts";
import { besiege } from "../hostile/siege.ts";
import { freshDatabase } from "../support/database.ts";
import { bothServiceEngines } from "../support/service.ts";

/** The duration of one attack; `npm run hostile` runs all of them, for longer. */
const seconds = 8;

const names = [
  "templates-that-loop",
  "query-of-2-lists-of-500-values",
  "texts-that-double",
  "rich-text-in-rich-text",
  "a-large-operation-of-wide",
  "a-large-operation-of-unknown",
  "a-pattern-for-each-component",
  "a-million-issues",
  "an-image-of-3200-sizes",
  "logs-that-nobody-reads",
  "lookups-under-900-aliases",
  "changes-of-large-documents",
  "searches-of-150000-failures",
  "causes-of-150000-failures",
  "unrepaired-of-150000-failures",
];

describe.each(bothServiceEngines)("on %s a well-behaved tenant beside an attack", (engine) => {
  test.each(names)(
    "a well-behaved tenant is served in time, and the process stays small, beside %s",
    async (name) => {
      const attack = attacks.find((one) => one.name === name);
      if (attack === undefined) throw new Error(`there is no attack "${name}"`);
      const database = engine === "postgresql" ? await freshDatabase() : undefined;
      try {
        const { wrong, ...figures } = await besiege(attack, { engine, databaseUrl: database?.url, seconds });
        expect(wrong, JSON.stringify(figures)).toEqual([]);
      } finally {
        await database?.drop();
      }
    },
  );
});
