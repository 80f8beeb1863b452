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

/** Keeps compiled code for the next start: less than half of the time to load the schemas is left. */
function keepCompiledCode() {
  const path = require("node:path");
  let cache = process.env.XDG_CACHE_HOME;
  try {
    if (!cache) cache = path.join(require("node:os").homedir(), ".cache");
  } catch (_) {
    return; // Neither HOME nor an entry in the list of users: a container may run as any number.
  }
  require("node:module").enableCompileCache(path.join(cache, "lading"));
}

function start() {
  withoutSqliteWarning();
  keepCompiledCode();
  import("lading/main")
    .then(({ main }) => main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
}
