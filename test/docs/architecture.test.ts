import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { page } from "./pages.ts";

/** The steps of the walk: `file`, `function`, `function`. */
const steps = [...page("ARCHITECTURE.md").matchAll(/^\d+\. `([^`]+\.ts)` ((?:`[^`]+`(?:, )?)+):/gm)].map(
  ([, file = "", names = ""]) => ({
    file: `packages/${file.replace("/", "/src/")}`,
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  }),
);

test("the walk of ARCHITECTURE.md names files, and functions in them, that exist", () => {
  expect(steps.length).toBeGreaterThan(20);
  const missing = steps.flatMap(({ file, names }) =>
    existsSync(file) ? names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page(file))) : [file],
  );
  expect(missing).toEqual([]);
});
