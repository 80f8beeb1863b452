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

test("validate prints an error on one line that begins with its place, and ends with code 2", async () => {
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

test("validate counts the issues that it does not list", async () => {
  const operations = Array.from({ length: 1_200 }, () => ({ intent: "no/such" }));
  const { stdout } = await validate({ version: "1.0.0", operations });
  expect(stdout).toContain("… and 200 more\n");
  expect(stdout).toContain("1,200 operations, 1,200 errors");
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
