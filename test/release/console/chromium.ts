import { existsSync } from "node:fs";

/** The browser that `CHROMIUM` names, or that of Debian or of GitHub's runners; undefined without one. */
export const chromiumPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
);
