import type { Reporter, TestModule, Vitest } from "vitest/node";

/**
 * Ends a run with one line of figures: `812 passed, 0 failed, 3 skipped`. A file that fails to load is a failure, and
 * so is a name (`-t`) that no test has.
 */
export default class TallyReporter implements Reporter {
  #name: RegExp | undefined;

  onInit({ config }: Vitest): void {
    this.#name = config.testNamePattern;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      count.failed += module.errors().length;
    }
    const ran = count.passed + count.failed > 0 || modules.some((module) => !module.ok());
    if (this.#name !== undefined && !ran) {
      process.stderr.write(`No test has a name that matches ${this.#name}.\n`);
      process.exitCode = 1;
    }
    const skipped = count.skipped + count.pending;
    process.stdout.write(
      `\n${count.passed} passed, ${count.failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`,
    );
  }
}
