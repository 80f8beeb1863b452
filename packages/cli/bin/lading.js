#!/usr/bin/env node
// Plain JavaScript: on a Node that is too old for the rest, it hands over to the one that npm installed.
import { spawn } from "node:child_process";
import module, { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const needed = 24;

if (Number(process.versions.node.split(".")[0]) >= needed) {
  // compiled code, kept for the next start: less than half of the time to load the schemas is left
  module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "lading"));
  const { main } = await import("../src/main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  runWith(pinnedNode());
}

function pinnedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `node-${process.platform}-${process.arch}/package.json`,
    );
    return join(dirname(manifest), "bin", "node");
  } catch {
    console.error(
      `lading needs Node ${needed} or newer; this is ${process.version} (${process.execPath}). ` +
        "Install a newer one from https://nodejs.org.",
    );
    process.exit(1);
  }
}

function runWith(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
  });
}
