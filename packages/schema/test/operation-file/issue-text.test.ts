import { describe, expect, it } from "vitest";
import { checkOperation, type Issue, issueCodes, issueText } from "../../src/index.ts";

const issue: Issue = {
  severity: "error",
  code: "WrongType",
  message: "expected string, got number 7",
  pointer: "/operations/7/variants/0/sku",
  operationIndex: 7,
  intent: "product/upsert",
  ref: "tshirt",
  line: 12,
  column: 9,
  offset: 345,
};

describe("issueText", () => {
  it("a file cannot control the terminal through an issue: control and direction characters are escaped", () => {
    const text = issueText({
      ...issue,
      ref: "a\u001b[31m\n",
      message: "got \u0007\u202e\u2028 x",
      pointer: "/a\u009bb",
    });
    expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(text).toContain("got \\u0007\\u202e\\u2028 x");
  });

  it("an issue is one line that says where and what", () => {
    expect(issueText(issue)).toBe(
      'error  operations[7] product/upsert "tshirt"  line 12, column 9  /operations/7/variants/0/sku: expected string, got number 7',
    );
  });

  it("an issue's line omits what is unknown", () => {
    const bare = { ...issue, intent: null, ref: null };
    expect(issueText({ ...bare, severity: "warning" })).toMatch(/^warning {2}operations\[7\] {2}line 12/);
    expect(
      issueText({ ...bare, operationIndex: null, pointer: "", line: null, column: null, offset: null }),
    ).toBe("error  expected string, got number 7");
  });
});

describe("issueCodes", () => {
  it("issueCodes also explains the codes of checkOperation, except those of payloads alone", () => {
    const codes = [checkOperation(7), checkOperation({})].flatMap(({ errors }) =>
      errors.map(({ code }) => code),
    );
    expect(codes).toEqual(["WrongType", "MissingField"]);
    for (const code of codes) expect(Object.keys(issueCodes)).toContain(code);
  });
});
