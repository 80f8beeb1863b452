import { describe, quoted } from "./problems/phrases.ts";
import { slug } from "./slug.ts";

/** A rule for a value that an operation sets. The schema of a file allows values that break it. */
export interface ValueRule<T> {
  readonly code: "InvalidValue" | "OutOfRange";
  /** Says what is wrong with the value and what is right; undefined if it is valid. */
  objection(value: T): string | undefined;
  /** Ends a warning about a value that breaks the rule. */
  readonly consequence: string;
}

const consequence = "the operation will fail";

const name: ValueRule<string> = {
  code: "OutOfRange",
  objection: (text) =>
    /\S/.test(text) ? undefined : text === "" ? "must not be empty" : "must not be blank",
  consequence,
};

/** Applies only to new keys: existing ones may predate the rule, and must still be found. */
const key: ValueRule<string> = {
  code: "InvalidValue",
  objection(text) {
    const trimmed = text.trim();
    if (trimmed === "") return name.objection(text);
    return trimmed === text ? undefined : `has white space around it; use ${JSON.stringify(trimmed)}`;
  },
  consequence: "a new key like this is rejected",
};

const sku: ValueRule<string> = { ...key, consequence: "a new SKU like this is rejected" };

const longestLanguageCode = 64;

const longestPathIdentifier = 64;

const pathIdentifier: ValueRule<string> = {
  code: "InvalidValue",
  objection(text) {
    if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)) return undefined;
    if (text === "") return "must not be empty";
    const suggestion = slug(text, longestPathIdentifier);
    const hint = suggestion === "" ? "" : `; use ${JSON.stringify(suggestion)}`;
    return `expected letters a to z, digits and single dashes between them, got ${describe(text)}${hint}`;
  },
  consequence,
};

const languageCode: ValueRule<string> = {
  code: "InvalidValue",
  objection: (text) =>
    /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(text) && text.length <= longestLanguageCode
      ? undefined
      : `${quoted(text)} is not a language code; write it as en, no-nb or zh-Hans`,
  consequence,
};

function between(what: string, { min, max }: Range): ValueRule<number> {
  const expected = `expected a ${what} from ${min} to ${max}`;
  return {
    code: "OutOfRange",
    objection: (number) => (number >= min && number <= max ? undefined : `${expected}, got ${number}`),
    consequence,
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Prices of variants, of their tiers and of plans, in units of the currency. Commands check prices against it. */
export const priceRange: Range = { min: 0, max: 1e9 };

/** A calendar date: `Date.parse` takes 30 February for 2 March. */
const dateTime: ValueRule<string> = {
  code: "InvalidValue",
  objection(text) {
    const day = dayIn(text);
    if (day === undefined || day.day <= 28) return undefined;
    const month = monthOf(text, day.at);
    if (month === undefined || day.day <= month.days) return undefined;
    return `there is no ${text}: ${month.name} has ${month.days} days`;
  },
  consequence,
};

/** The day of the month in a date, and its offset in the text; undefined if the text does not show it. */
function dayIn(text: string): { day: number; at: number } | undefined {
  const iso = /^(?:\d{4}|[+-]\d{6})-\d\d-(\d\d)/.exec(text);
  if (iso) return { day: Number(iso[1]), at: iso[0].length - 2 };
  if (!/\d{4}/.test(text)) return undefined;
  // Any other form: times and zones come after the date, years have four digits, and no month is above 12.
  const [date = ""] = text.split(/\d{1,2}:/);
  const numbers = [...date.matchAll(/(?<!\d)\d{1,2}(?!\d)/g)];
  const days = numbers.filter(([digits]) => Number(digits) > 12);
  return days.length === 1 ? { day: Number(days[0]![0]), at: days[0]!.index } : undefined;
}

const monthNames = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** The month of a date: that of its 15th, which no time zone moves into another month. */
function monthOf(text: string, at: number): { name: string; days: number } | undefined {
  const middle = new Date(`${text.slice(0, at)}15${text.slice(at + 2)}`);
  if (Number.isNaN(middle.getTime())) return undefined;
  const days = new Date(Date.UTC(2000, 0, 1));
  days.setUTCFullYear(middle.getUTCFullYear(), middle.getUTCMonth() + 1, 0);
  return { name: monthNames.format(middle), days: days.getUTCDate() };
}

/** The rules by kind of value; a field gets one from the scalar it is defined with. */
export const valueRules = {
  dateTime,
  key,
  languageCode,
  latitude: between("latitude", { min: -90, max: 90 }),
  longitude: between("longitude", { min: -180, max: 180 }),
  name,
  pathIdentifier,
  price: between("price", priceRange),
  sku,
} as const;
