import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { auditActions } from "../../packages/service/src/tenants/audit.ts";
import { codes, page, rows, section } from "./pages.ts";

const file = "docs/security.md";

describe(file, () => {
  test("docs/security.md has every action of the audit trail and no other", () => {
    const listed = rows(section(page(file), "The audit trail")).map(([action = "", meaning]) => [
      ...[action.replaceAll("`", ""), meaning],
    ]);
    expect(listed).toEqual(Object.entries(auditActions));
  });

  test("docs/security.md names tests that exist", () => {
    const named = codes(section(page(file), "How it is proved")).filter((code) => code.includes("/"));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});
