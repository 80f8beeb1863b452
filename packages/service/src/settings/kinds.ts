import { isIP, isIPv6 } from "node:net";
import { isLoopback } from "../system/loopback.ts";
import { errorMessage } from "../system/thrown.ts";
import { databaseAddress } from "./database-url.ts";

export interface Kind<Value> {
  /** Parses the text of a variable or option; an invalid text yields a value that `accepts` refuses. */
  read(text: string): unknown;
  accepts(value: unknown): value is Value;
  /** Completes the sentence "it must be …". */
  readonly right: string;
  /** Says what is wrong with a value without showing any of it: for secret settings. */
  problem?(value: unknown): string | undefined;
  /** In Markdown: the allowed range or words, for the documentation. */
  readonly range?: string;
  /** The allowed words, if they can be listed. */
  readonly words?: readonly string[];
}

const asIs = (text: string) => text;

export const anyText: Kind<string> = { read: asIs, accepts: isText, right: "a text" };

export const trueOrFalse: Kind<boolean> = {
  read: (text) => ({ true: true, false: false })[text] ?? text,
  accepts: (value) => typeof value === "boolean",
  right: "true or false",
  range: "`true` or `false`",
};

/** A whole number from `least` to `most`, both included. */
export const wholeNumber = (least: number, most: number): Kind<number> => ({
  read: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  accepts: (value): value is number => isWhole(value) && value >= least && value <= most,
  right: `a whole number from ${least} to ${most}`,
  range: `from ${least} to ${most}`,
});

export const oneOf = <const Word extends string>(words: readonly Word[]): Kind<Word> => ({
  read: asIs,
  accepts: (value): value is Word => words.some((word) => word === value),
  right: `one of ${words.join(", ")}`,
  range: new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words.map((word) => `\`${word}\``)),
  words,
});

export const httpAddress: Kind<string> = {
  read: asIs,
  accepts: (value): value is string => isText(value) && isHttpAddress(value),
  right: "an http:// or https:// address without a query, such as https://shop.example",
};

/** An issuer's exact text is compared with that of tokens. */
export const issuerAddress: Kind<string> = {
  read: asIs,
  accepts: (value): value is string =>
    isText(value) && isHttpAddress(value) && (/^https:/i.test(value) || isLoopback(new URL(value))),
  right:
    "an https:// address without a query, such as https://login.example/realms/shop, or an http:// one of this machine",
};

export const postgresUrl: Kind<string> = {
  read: asIs,
  accepts: (value): value is string => isText(value) && databaseUrlProblem(value) === undefined,
  problem: (value) => (isText(value) ? databaseUrlProblem(value) : undefined),
  right:
    "an address such as postgres://user:password@host:5432/database, with special characters of the password as %xx",
};

function databaseUrlProblem(text: string): string | undefined {
  try {
    databaseAddress(text);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** The message refusing a setting's value, which is not shown when it is secret. */
export function refusal(
  name: string,
  value: unknown,
  kind: Kind<unknown>,
  secret: boolean | undefined,
): string {
  const problem = kind.problem?.(value);
  const wrong = secret
    ? `is wrong${problem === undefined ? "" : `: ${problem}`}`
    : `is ${JSON.stringify(value)}`;
  return `${name} ${wrong}; it must be ${kind.right}`;
}

/** A list of ports; comma-separated in a variable. */
export const portList: Kind<number[]> = {
  read: (text) => text.split(",").map((word) => (/^\s*\d+\s*$/.test(word) ? Number(word) : word)),
  accepts: (value): value is number[] =>
    Array.isArray(value) && value.every((port) => isWhole(port) && port >= 1 && port <= 65_535),
  right: "a list of ports, such as 8080,8443",
};

/** A list of texts; comma-separated in a variable. */
const listOf = (accepts: (word: string) => boolean, right: string): Kind<string[]> => ({
  read: (text) => text.split(",").map((word) => word.trim()),
  accepts: (value): value is string[] =>
    Array.isArray(value) && value.every((word) => isText(word) && accepts(word)),
  right,
});

export const headerWordList = listOf(
  (word) => /^[a-z0-9]+(-[a-z0-9]+)*$/i.test(word),
  "a list of words of letters, digits and dashes",
);

/** RFC 6749, 3.3. OpenID Connect needs the scope `openid`. */
const scopes = listOf((word) => /^[!#-[\]-~]+$/.test(word), "a list of scopes, with openid among them");

export const scopeList: Kind<string[]> = {
  ...scopes,
  accepts: (value): value is string[] => scopes.accepts(value) && value.includes("openid"),
};

export const originList = listOf(
  (word) => word === "*" || (isHttpAddress(word) && new URL(word).origin === word),
  "a list of origins such as https://shop.example, without a path, or *",
);

const namedNetworks = ["loopback", "linklocal", "uniquelocal"];

export const networkList = listOf((word) => {
  const [, address = "", bits] = /^([^/]*)(?:\/(\d+))?$/.exec(word) ?? [];
  const version = isIP(address);
  return namedNetworks.includes(word) || (version > 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128));
}, "a list of addresses or networks, such as 10.0.0.7 or 10.0.0.0/8");

export const hostList = listOf(
  (word) => isIPv6(word.replace(/^\[(.*)\]$/, "$1")) || /^[a-z0-9_.-]+$/i.test(word),
  "a list of hosts alone, such as cdn.internal or 10.0.0.7, without protocol, port or path",
);

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}

function isHttpAddress(text: string): boolean {
  return /^https?:\/\/[^\s?#]+$/i.test(text) && URL.canParse(text);
}
