import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** The service to develop against. */
const service = process.env.LADING_URL ?? "http://127.0.0.1:4000";

// Every build, also of a test, is what is published: React has another build for development.
if (process.argv.includes("build")) process.env.NODE_ENV = "production";

/** Keeps the browser from painting the system's theme before the script has set the chosen one. */
const paintAfterScript: Plugin = {
  name: "paint-after-script",
  transformIndexHtml: (html) => html.replace('<script type="module"', '$& blocking="render"'),
};

/** Compresses what a page loads into files next to them, which the service answers with. */
const compress: Plugin = {
  name: "compress",
  apply: "build",
  writeBundle({ dir = "" }) {
    for (const file of globSync(join(dir, "assets/*.{js,css,json,svg}"))) {
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [paintAfterScript, compress],
  // The service puts the nonce of each answer in its place.
  html: { cspNonce: "__LADING_CONSOLE_NONCE__" },
  build: {
    target: "es2023",
    // The page's policy allows nothing that is written into it.
    assetsInlineLimit: 0,
    // Libraries mark their modules for servers that render; there is none. A slow plugin needs no warning.
    rolldownOptions: { checks: { moduleLevelDirective: false, pluginTimings: false } },
  },
  // A worker loads parts of itself when it needs them.
  worker: { format: "es" },
  server: {
    proxy: {
      "^/@[a-z0-9]": service,
      "^/console/session": service,
      "^/images/": service,
      "^/uploads": service,
    },
  },
});
