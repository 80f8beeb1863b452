import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";

const good = { intent: "customer/upsert", identifier: "ada", firstName: "Ada", type: "individual" };
let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

async function validate(content: unknown, ...flags: string[]) {
  const file = await writeInto(folder, "shop.json", content);
  return { file, ...(await lading(["mass-operation", "validate", file, ...flags])) };
}

test("validate ends with code 1 for a file that does not exist", async () => {
  const { code, stderr } = await lading(["mass-operation", "validate", `${folder}/none.json`]);
  expect(code).toBe(1);
  expect(stderr).toContain(`there is no file ${folder}/none.json`);
});

test("validate ends with code 1 for a folder", async () => {
  const { code, stderr } = await lading(["mass-operation", "validate", folder]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${folder} is a folder`);
});

test("Ctrl-C ends validate with code 130", async () => {
  const file = await writeInto(folder, "shop.json", { version: "1.0.0", operations: [good] });
  const io = { interrupted: AbortSignal.abort() };
  const { code, stderr } = await lading(["mass-operation", "validate", file], io);
  expect([code, stderr]).toEqual([130, "error: interrupted\n"]);
});

test("validate says that a file cannot be read, even if Ctrl-C comes just then", async () => {
  const { signal } = new AbortController();
  // False when the file is opened, true once that has failed.
  let isAborted = false;
  Object.defineProperty(signal, "aborted", {
    get() {
      process.nextTick(() => {
        isAborted = true;
      });
      return isAborted;
    },
  });
  const missing = `${folder}/missing.json`;
  const { code, stderr } = await lading(["mass-operation", "validate", missing], { interrupted: signal });
  expect([code, stderr]).toEqual([1, `error: there is no file ${missing}\n`]);
});

test("validate prints an error on one line that begins with its position, and ends with code 2", async () => {
  const text = `{ "version": "1.0.0", "operations": [\n  { "intent": "customer/upsrt", "_ref": "ada" }\n] }`;
  const { file, code, stdout } = await validate(text);
  expect(code).toBe(2);
  expect(stdout).toMatch(
    new RegExp(`^${RegExp.escape(file)}:2:\\d+: error: .*customer/upsert.*operation 0`, "m"),
  );
  expect(stdout).toContain(`${file}: 1 operation, 1 error, 0 warnings\n`);
});

test("an unknown field is a warning, and an error with --strict", async () => {
  const content = { version: "1.0.0", operations: [{ ...good, fristName: "Ada" }] };
  const lenient = await validate(content);
  expect(lenient.code).toBe(0);
  expect(lenient.stdout).toMatch(/: warning: .*firstName/);
  const strict = await validate(content, "--strict");
  expect(strict.code).toBe(2);
  expect(strict.stdout).toMatch(/: error: .*firstName/);
});

test("a reference to nothing and an unknown helper are warnings, and errors with --strict", async () => {
  const firstName = "{{ nobody.identifier }}{{ uppper 'ada' }}";
  const content = { version: "1.0.0", operations: [{ ...good, firstName }] };
  expect(await validate(content)).toMatchObject({ code: 0, stdout: expect.stringContaining("2 warnings") });
  expect(await validate(content, "--strict")).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("2 errors, 0 warnings"),
  });
});

/** Customers with a warning each, then ones with an error each, and at last one with another error. */
const manyFaults = {
  version: "1.0.0",
  operations: [
    ...Array.from({ length: 1_500 }, (_, i) => ({ ...good, identifier: `c-${i}`, fristName: "Ada" })),
    ...Array.from({ length: 5 }, (_, i) => ({ ...good, type: `person-${i}` })),
    { intent: "no/such" },
  ],
};

test("validate groups problems by cause, errors first, with three examples and their positions", async () => {
  const { file, code, stdout, stderr } = await validate(manyFaults);
  expect(code).toBe(2);
  const shown = stdout
    .replaceAll(`${file}:1:`, "shop.json:1:")
    .replaceAll(/:1:\d+/g, ":1:n")
    .split("\n");
  const wrongType = (index: number) =>
    expect.stringMatching(
      `^  shop.json:1:n: error: expected one of .* got string "person-${index - 1_500}" .operation ${index}, customer/upsert`,
    );
  const unknown = (index: number) =>
    expect.stringMatching(`^  shop.json:1:n: warning: "fristName" .* .operation ${index}, customer/upsert`);
  expect(shown).toEqual([
    '5 errors in "type": expected one of "…", "…", got string "…"',
    ...[wrongType(1_500), wrongType(1_501), wrongType(1_502)],
    expect.stringMatching(/^shop.json:1:n: error: .*"no\/such".*operation 1505/),
    expect.stringMatching(/^1,500 warnings: "fristName" is not a known field; did you mean "firstName"\?$/),
    ...[unknown(0), unknown(1), unknown(2)],
    `${file}: 1,506 operations, 6 errors, 1,500 warnings`,
    "",
  ]);
  expect(stderr).toBe("--all prints each.\n");
});

test("unknown fields of two names are two causes", async () => {
  const products = Array.from({ length: 9 }, (_, i) => ({ ...good, identifier: `c-${i}`, colour: "red" }));
  const { stdout } = await validate({ version: "1.0.0", operations: [...products, { ...good, wheels: 4 }] });
  expect(stdout).toMatch(/^9 warnings: "colour" is not a known field/m);
  expect(stdout).toMatch(/: warning: "wheels" is not a known field/);
});

test("validate --all prints each error, then each warning", async () => {
  const { stdout, stderr } = await validate(manyFaults, "--all");
  const severities = Array.from(stdout.matchAll(/: (error|warning): /g), ([, severity]) => severity);
  expect(severities).toHaveLength(1_506);
  expect(severities.lastIndexOf("error")).toBe(5);
  expect(stderr).toBe("");
});

test("validate --all prints more warnings than its memory holds, in their order", {
  tags: "release",
}, async () => {
  const operations = Array.from({ length: 12_000 }, (_, i) => ({
    ...good,
    identifier: `c-${i}`,
    fristName: "Ä",
  }));
  const { stdout } = await validate({ version: "1.0.0", operations }, "--all");
  const numbers = Array.from(stdout.matchAll(/\(operation (\d+), /g), ([, number]) => Number(number));
  expect(stdout.length).toBeGreaterThan(1 << 20);
  expect(numbers).toEqual(operations.map((_, i) => i));
});

test("a reference that only the end of the file explains is an example with its explanation", async () => {
  const operations = [1, 2, 3, 4].map((i) => ({ ...good, firstName: `{{ later${i}.identifier }}` }));
  const named = { ...good, _ref: "later1" };
  const { stdout } = await validate({ version: "1.0.0", operations: [...operations, named] });
  expect(stdout).toContain('4 warnings in "firstName": no operation before this one has the _ref "…"\n');
  expect(stdout).toContain("it is the _ref of operations[4], which is executed later");
  const all = await validate({ version: "1.0.0", operations: [...operations, named] }, "--all");
  expect(all.stdout).toContain("it is the _ref of operations[4], which is executed later");
});

test("validate ends with code 0 for a good file", async () => {
  const { file, code, stdout } = await validate({ version: "1.0.0", operations: [good] });
  expect(code).toBe(0);
  expect(stdout).toBe(`${file}: 1 operation, 0 errors, 0 warnings\n`);
});

test("validate --json prints the report", async () => {
  const { file, code, stdout } = await validate({ version: "1", operations: [good] }, "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    file,
    valid: false,
    operations: 1,
    errorCount: 1,
    issues: [{ severity: "error", pointer: "/version", line: 1 }],
  });
});
