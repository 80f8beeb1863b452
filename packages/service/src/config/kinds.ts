import { isIP, isIPv6 } from "node:net";

/** The form that the values of a setting have. */
export interface Kind {
  /** The value that a text of the environment stands for. What stands for none becomes a value that `accepts` refuses. */
  read(text: string): unknown;
  accepts(value: unknown): boolean;
  /** What would be right, after "it must be". */
  readonly right: string;
}

const words = (text: string) => text.split(",").map((word) => word.trim());

export const anyText: Kind = { read: (text) => text, accepts: isText, right: "a text" };

export const trueOrFalse: Kind = {
  read: (text) => ({ true: true, false: false })[text] ?? text,
  accepts: (value) => typeof value === "boolean",
  right: "true or false",
};

/** From `least` to `most`, ends included. */
export const wholeNumber = (least: number, most: number): Kind => ({
  read: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  accepts: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  right: `a whole number from ${least} to ${most}`,
});

export const oneOf = (names: readonly string[]): Kind => ({
  ...anyText,
  accepts: (value) => names.includes(value as string),
  right: `one of ${names.join(", ")}`,
});

export const httpAddress: Kind = {
  ...anyText,
  accepts: (value) => isText(value) && isHttpAddress(value),
  right: "an http:// or https:// address without a query, such as https://shop.example",
};

export const postgresUrl: Kind = {
  ...anyText,
  accepts: (value) => isText(value) && /^postgres(ql)?:\/\/\S+$/.test(value) && URL.canParse(value),
  right:
    "an address such as postgres://user:password@host:5432/database, with special characters of the password as %xx",
};

/** A list of texts, in the environment with commas between them. */
const listOf = (each: (word: string) => boolean, right: string): Kind => ({
  read: words,
  accepts: (value) => Array.isArray(value) && value.every((word) => isText(word) && each(word)),
  right,
});

export const headerWordList = listOf(
  (word) => /^[a-z0-9]+(-[a-z0-9]+)*$/i.test(word),
  "a list of words of letters, digits and dashes",
);

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

function isHttpAddress(text: string): boolean {
  return /^https?:\/\/[^\s?#]+$/i.test(text) && URL.canParse(text);
}
