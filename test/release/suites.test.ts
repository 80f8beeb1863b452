import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Each at its smallest; `npm run suites` runs all at full size. */
function suites(...args: string[]) {
  // As without Vitest: with its variables a process asks this run for what it shares.
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|LADING_TEST)/.test(name));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["test/suites/run.ts", ...args], {
    env: Object.fromEntries(own),
    encoding: "utf8",
  });
  return { status, stderr, rows: stdout === "" ? [] : JSON.parse(stdout) };
}

test("an unknown suite, and a size that is not a number, are refused before anything runs", () => {
  expect(suites("--only", "crush").stderr).toContain(
    'There is no suite "crush"; there is crash, failover, hostile, fuzz, conformance',
  );
  expect(suites("--only", "crash", "--kills", "few").stderr).toContain(
    '--kills is "few"; it must be a whole number',
  );
});

test("what is wrong is in the record, and the command fails", () => {
  const { status, rows } = suites("--only", "conformance", "--tests", "test/no-such-tests");
  expect(status).toBe(1);
  expect(rows).toMatchObject([{ program: "conformance", wrong: [expect.stringContaining("the tests")] }, {}]);
});

test("the record has a row for each run, with its seed, its size and its figures", () => {
  const sizes = ["--attacks", "1", "--seconds", "1", "--files", "2", "--requests", "2", "--rounds", "0"];
  const { rows } = suites("--only", "hostile,fuzz", "--seed", "7", "--changes", "0", ...sizes);
  // A slow machine may be beyond each.
  const beyond = expect.stringMatching(
    /^(?:none|queries(?:, tasks)?(?:, memory)?|tasks(?:, memory)?|memory)$/,
  );
  const attack = { program: "hostile", seed: 7, sizes: { seconds: 1, attacks: 1 }, run: "none" };
  expect(rows).toMatchObject([
    { ...attack, figures: { Database: "PostgreSQL", "Beyond its limit": beyond } },
    { ...attack, figures: { Database: "PGlite", "Beyond its limit": beyond } },
    { program: "fuzz", seed: 7, run: "files and requests", figures: { Files: 2, Requests: 2 }, wrong: [] },
  ]);
});
