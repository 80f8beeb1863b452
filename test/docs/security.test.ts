import { existsSync } from "node:fs";
import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  isUnionType,
} from "graphql";
import { describe, expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { auditActions } from "../../packages/service/src/tenants/audit.ts";
import { codes, page, rows, section } from "./pages.ts";

const file = "docs/security.md";

/** Names of queries for lists, fields that read much, and a tenant's downloads. */
function readers(): string[] {
  const schema = coreSchema();
  const isList = ({ type }: GraphQLField<unknown, unknown>) =>
    isListType(getNullableType(type)) ||
    memberNames(getNamedType(type)).some((name) => name.endsWith("Connection"));
  const memberNames = (type: GraphQLNamedType) =>
    isUnionType(type) ? type.getTypes().map(({ name }) => name) : [type.name];
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()));
  const downloads = ["task-routes.ts", "files/task-file-route.ts", "files/dump-route.ts"].flatMap((name) =>
    [...page(`packages/service/src/http/${name}`).matchAll(/"\/@:tenant(\/\S+)"/g)].map(
      ([, path = ""]) => `GET /@{tenant}${path.replace(":id", "{id}")}`,
    ),
  );
  return [
    ...Object.values(schema.getQueryType()!.getFields())
      .filter(isList)
      .map(({ name }) => name),
    ...fields.filter(({ extensions }) => "readsMuch" in extensions).map(({ name }) => name),
    ...new Set(downloads),
  ];
}

describe(file, () => {
  test("docs/security.md has every action of the audit trail and no other", () => {
    const listed = rows(section(page(file), "The audit trail")).map(([action = "", meaning]) => [
      ...[action.replaceAll("`", ""), meaning],
    ]);
    expect(listed).toEqual(Object.entries(auditActions));
  });

  test("docs/security.md has every query for a list, every field that reads much, and every download", () => {
    const listed = codes(
      rows(section(page(file), "Expensive reads"))
        .map(([what = ""]) => what)
        .join("\n"),
    );
    expect(readers().filter((name) => !listed.includes(name))).toEqual([]);
  });

  test.each([
    [file, "How it is proved"],
    ["docs/threat-model.md", "Attackers and defences"],
  ])("%s names tests that exist", (name, heading) => {
    const named = codes(section(page(name), heading)).filter((code) => code.includes("/"));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});
