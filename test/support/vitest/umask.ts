import { afterEach } from "vitest";

const umask = process.umask();

// Some commands of the CLI set it for their files; the worker then runs other tests and builds.
afterEach(() => {
  process.umask(umask);
});
