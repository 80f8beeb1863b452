#!/usr/bin/env node
// CommonJS in old syntax: a Node that is too old for the rest must still get to the sentence that says so.
"use strict";

const { engines } = require("../package.json");

const required = numbers(engines.node.replace(/^\D+/, ""));
const running = numbers(process.versions.node);

if (running[0] > required[0] || (running[0] === required[0] && running[1] >= required[1])) {
  start();
} else {
  console.error(
    `lading needs Node ${required.join(".")} or newer; this is ${process.version} (${process.execPath}). ` +
      "Install a newer one from https://nodejs.org.",
  );
  process.exitCode = 1;
}

function numbers(version) {
  return version.split(".").map(Number);
}

/** Node 22 calls SQLite, which holds the locks of files, experimental in each process that loads it. */
function withoutSqliteWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...details) => {
    if (!/^SQLite is an experimental feature/.test(warning)) emitWarning.call(process, warning, ...details);
  };
}

function start() {
  withoutSqliteWarning();
  const os = require("node:os");
  const path = require("node:path");
  // compiled code, kept for the next start: less than half of the time to load the schemas is left
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
  require("node:module").enableCompileCache(path.join(cache, "lading"));
  import("lading/main")
    .then(({ main }) => main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
}
