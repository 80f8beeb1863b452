import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folders = [
  "packages/service/test/commands",
  "packages/service/test/domain",
  ...["unit-of-work", "batches"].map((name) => `test/conformance/${name}`),
];

/** Reasons by prefix of the full name, for tests that need the constraints or have two writers. */
const excluded: Readonly<Record<string, string>> = {
  "two concurrent writers on PostgreSQL": "two writers",
  "two writers on PostgreSQL": "two writers",
  "concurrent writers on PostgreSQL": "two writers",
  "the paths of an item on 'PostgreSQL' once it is published another item does not get a segment that only a published version has, whichever writes it":
    "it writes the row with SQL, past the commands, and expects the constraint to refuse it",
  "the unit of work on 'PostgreSQL' a child whose parent does not exist is refused":
    "it writes the row without a command, and expects the foreign key to refuse it",
};

/** Fewer tests than this mean that folders were moved or that the pattern excludes too much. */
const leastTests = 500;

interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

test("commands of one writer rely on no foreign key and no unique key", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-without-constraints-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const output = join(folder, "report.json");
  const names = Object.keys(excluded).map((name) => RegExp.escape(name));
  const options = ["--reporter=json", `--outputFile=${output}`, "-t", `^(?!${names.join("|")})`];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...folders, ...options], {
    cwd: root,
    env: { ...process.env, LADING_TEST_WITHOUT_CONSTRAINTS: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(child.stderr);
  const [code] = await once(child, "close");
  const { testResults } = JSON.parse(await readFile(output, "utf8")) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join("\n")}`);
  const broken = testResults
    .filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0)
    .map(({ name, message }) => `${name}: ${message}`);
  expect([...failed, ...broken]).toEqual([]);
  expect(code, await said).toBe(0);
  const missing = Object.keys(excluded).filter(
    (name) => !tests.some(({ fullName }) => fullName.startsWith(name)),
  );
  expect(missing, "excluded, but there is no such test").toEqual([]);
  expect(tests.filter(({ status }) => status === "passed").length).toBeGreaterThan(leastTests);
});
