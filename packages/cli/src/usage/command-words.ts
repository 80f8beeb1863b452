import { type Group, tree } from "../commands/tree.ts";

export interface CommandWords {
  /** The names, from the outermost group on. */
  path: string[];
  /** The first word that a group has no command for, if there is one. */
  unknown?: string;
  isCommand: boolean;
  /** True when `help` is in the place of a command. */
  help: boolean;
}

/** Finds the commands that words name, up to the first word that is an argument. Options are skipped. */
export function commandWords(args: readonly string[]): CommandWords {
  const named: CommandWords = { path: [], isCommand: false, help: false };
  let group: Group = tree;
  for (const word of args) {
    if (word.startsWith("-")) continue;
    if (word === "help") {
      named.help = true;
      continue;
    }
    const branch = Object.hasOwn(group.commands, word) ? group.commands[word] : undefined;
    if (branch === undefined) return { ...named, unknown: word };
    named.path.push(word);
    if (typeof branch === "function") return { ...named, isCommand: true };
    group = branch;
  }
  return named;
}

/**
 * Writes `help tenant create` as `tenant create --help`: commander's own help command takes one word only. Where a
 * word is not a command, the words alone lead to the error that says so.
 */
export function withoutHelpCommand(args: readonly string[]): string[] {
  const { path, unknown, help } = commandWords(args);
  if (!help) return [...args];
  return unknown === undefined ? [...path, "--help"] : [...path, unknown];
}

/** Lists every command by its words: `tenant create`. */
export function everyPath({ commands }: Group = tree, before: readonly string[] = []): string[] {
  return Object.entries(commands).flatMap(([name, branch]) => {
    const words = [...before, name];
    return typeof branch === "function" ? [words.join(" ")] : everyPath(branch, words);
  });
}
