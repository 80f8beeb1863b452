import { existsSync } from "node:fs";

/** Path of `CHROMIUM`, else of Debian's or GitHub's browser, else undefined. */
export const chromiumPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
);
