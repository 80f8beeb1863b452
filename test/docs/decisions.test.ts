import { intentNames } from "@lading/schema";
import { expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { mutations } from "../../packages/service/src/graphql/mutations/table.ts";
import { operatorSchema } from "../../packages/service/src/graphql/operator/schema.ts";
import { page, rows, section } from "./pages.ts";

test("the decision record of what holds decisions names every intent and every mutation without one", () => {
  const table = rows(section(page("docs/adr/0026-what-holds-a-decision.md"), "What each command decides by"));
  const names = table.flatMap(([commands = ""]) =>
    [...commands.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const patterns = names.map((name) => new RegExp(`^${name?.replaceAll("*", ".+")}$`));
  const withIntent = new Set(Object.values(mutations).map(({ mutation }) => mutation as string));
  const others = [coreSchema(), operatorSchema()]
    .flatMap((schema) => Object.keys(schema.getMutationType()?.getFields() ?? {}))
    .filter((name) => !withIntent.has(name));
  const missing = [...intentNames, ...others].filter(
    (name) => !patterns.some((pattern) => pattern.test(name)),
  );
  expect(missing).toEqual([]);
});
