import { intentNames } from "@lading/schema";
import { expect, test } from "vitest";
import { sharedDatabase } from "../support/engines.ts";
import { codes, page, section } from "./pages.ts";

const text = page("docs/stored-references.md");

/** Names such as `customers.parents`. */
const columnsIn = (page: string) => codes(page).filter((code) => /^[a-z_]+\.[a-z_]+$/.test(code));

test("docs/stored-references.md names every JSON column of the database, and no column that it does not have", async () => {
  const database = await sharedDatabase();
  const columns = await database.query<{ name: string; type: string }>(
    `SELECT table_name || '.' || column_name AS name, data_type AS type
     FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  await database.close();
  const named = new Set(columnsIn(section(text, "Without a foreign key")));
  const unnamed = columns.filter(({ name, type }) => type.startsWith("json") && !named.has(name));
  expect(unnamed).toEqual([]);
  expect([...named].filter((name) => !columns.some((column) => column.name === name))).toEqual([]);
});

test("docs/stored-references.md documents the references for every deleting intent", () => {
  const named = codes(section(text, "Intents that delete")).filter((code) => code.endsWith("/delete"));
  expect(named.toSorted()).toEqual(intentNames.filter((intent) => intent.endsWith("/delete")).toSorted());
});
