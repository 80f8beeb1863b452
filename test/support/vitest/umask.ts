import { afterEach } from "vitest";

const umask = process.umask();

// Some commands of the CLI set it for the files that they make; the worker continues with other tests, and with builds.
afterEach(() => {
  process.umask(umask);
});
