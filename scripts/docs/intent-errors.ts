import { readFileSync } from "node:fs";
import { type Intent, keysOf } from "@lading/schema/internal";
import { type ErrorName, errorNames } from "../../packages/service/src/errors.ts";

/** A module's relevant parts: its top-level declarations, and where its names come from. */
interface Module {
  readonly declarations: ReadonlyMap<string, string>;
  /** Where an imported or re-exported name is declared, by its local name. */
  readonly origins: ReadonlyMap<string, { path: string; name: string }>;
  /** Names it re-exports from another package. */
  readonly foreign: ReadonlySet<string>;
}

const modules = new Map<string, Module>();
const source = new URL("../../packages/service/src/", import.meta.url);
const registry = "commands/registry.ts";

/**
 * The errors a command may reject with: every error name in the code its `command` can call, followed from
 * declaration to declaration. It reads the formatted source, so a declaration begins in the first column.
 */
export function errorsOf(intent: Intent): ErrorName[] {
  const { path, command } = commandOf(intent);
  const found = new Set<string>();
  const seen = new Set<string>();
  const [, table, kind] = /^(\w+)\.(\w+)$/.exec(command) ?? [];
  if (table === undefined) collectFrom(path, command, found, seen);
  else collectWrite(originOf(path, table), String(kind), found, seen);
  return keysOf(errorNames).filter((error) => found.has(error));
}

/** The command of an intent in its noun's table, and the path of that table. */
function commandOf(intent: Intent): { path: string; command: string } {
  for (const [, name = ""] of declarationOf(registry, "commands").matchAll(/\.\.\.(\w+)/g)) {
    const { path } = originOf(registry, name);
    const command = new RegExp(`"${intent}": (.+),`).exec(declarationOf(path, name))?.[1];
    if (command !== undefined) return { path, command };
  }
  throw new Error(`no table of a noun has a line for ${intent}`);
}

/** The sources behind a command's arguments; the unit of work rejects nothing. */
const ports: Readonly<Record<string, [path: string, name: string]>> = {
  "media.image(": ["media/stored-images.ts", "storedImages"],
};

/** A name that is not a member's; after the dots of a spread it is not one. */
const usedName = /(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g;

/** The parts of `writeCommands` that each of its commands calls and that can reject. */
const parts: Readonly<Record<string, readonly string[]>> = {
  create: ["create"],
  update: ["find", "missing", "update"],
  upsert: ["find", "create", "update"],
};

/** Collects from one command of a table made by `writeCommands`: the other two may reject with other errors. */
function collectWrite(
  { path, name }: { path: string; name: string },
  kind: string,
  found: Set<string>,
  seen: Set<string>,
): void {
  const called = parts[kind];
  const text = declarationOf(path, name);
  if (called === undefined || !text.includes("= writeCommands({"))
    throw new Error(`${path}: ${name}.${kind} is not made by writeCommands`);
  const members = text
    .split(/^ {2}(?=\w)/m)
    .filter((member) => called.includes(/^\w+/.exec(member)?.[0] ?? ""));
  if (members.length !== called.length) throw new Error(`${path}: ${name} lacks one of ${called.join(", ")}`);
  collectFrom(path, members.join(""), found, seen);
}

function collect(path: string, name: string, found: Set<string>, seen: Set<string>): void {
  const id = `${path} ${name}`;
  if (seen.has(id)) return;
  seen.add(id);
  collectFrom(path, declarationOf(path, name), found, seen);
}

function collectFrom(path: string, text: string, found: Set<string>, seen: Set<string>): void {
  for (const [, error] of text.matchAll(/"(\w+)"/g))
    if (error !== undefined && Object.hasOwn(errorNames, error)) found.add(error);
  for (const [call, port] of Object.entries(ports)) if (text.includes(call)) collect(...port, found, seen);
  const { declarations, origins } = moduleAt(path);
  for (const [used] of text.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(usedName)) {
    const origin = declarations.has(used) ? { path, name: used } : origins.get(used);
    if (origin !== undefined) collect(origin.path, origin.name, found, seen);
  }
}

function declarationOf(path: string, name: string): string {
  const { declarations, origins, foreign } = moduleAt(path);
  const text = declarations.get(name);
  if (text !== undefined) return text;
  const origin = origins.get(name);
  // Another package rejects with none of the service's errors.
  if (foreign.has(name)) return "";
  if (origin === undefined) throw new Error(`${path} declares no ${name}`);
  return declarationOf(origin.path, origin.name);
}

const originOf = (path: string, name: string) => moduleAt(path).origins.get(name) ?? { path, name };

function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(path, source), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const module = {
    declarations: declarationsIn(text),
    origins: originsIn(path, text),
    foreign: foreignIn(text),
  };
  modules.set(path, module);
  return module;
}

const beginning =
  /^(?:export )?(?:async )?(?:const|let|function\*?|class|abstract class|interface|type) (\w+)/;

function declarationsIn(text: string): Map<string, string> {
  const declarations = new Map<string, string>();
  // What a package declares rejects nothing.
  for (const [, names = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "[^.]/gm))
    for (const name of names.split(",")) declarations.set(name.trim(), "");
  for (const part of text.split(/^(?=\w)/m)) {
    const name = beginning.exec(part)?.[1];
    // An overloaded function has several parts.
    if (name !== undefined) declarations.set(name, (declarations.get(name) ?? "") + part);
  }
  return declarations;
}

function originsIn(path: string, text: string): Map<string, { path: string; name: string }> {
  const origins = new Map<string, { path: string; name: string }>();
  for (const [, names = "", specifier = ""] of text.matchAll(
    /^(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]*)"/gm,
  ))
    for (const written of names.split(",")) {
      const [name, local] = written
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      if (name) origins.set(local ?? name, { path: resolved(path, specifier), name });
    }
  return origins;
}

const foreignIn = (text: string) =>
  new Set(
    [...text.matchAll(/^export \{([^}]*)\} from "@/gm)].flatMap(([, names = ""]) =>
      names.trim().split(/,\s*/),
    ),
  );

const resolved = (from: string, specifier: string) => new URL(specifier, `file:///${from}`).pathname.slice(1);
