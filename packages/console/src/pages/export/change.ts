/** A change of a column, in each row. */
export type Change =
  | { do: "set"; value: unknown }
  | { do: "percent" | "amount"; by: number; decimals: number }
  | { do: "publish" };

/** The value after a change. Only numbers are changed by percent or an amount. */
export function changed(value: unknown, change: Change): unknown {
  if (change.do === "publish") return value;
  if (change.do === "set") return change.value;
  if (typeof value !== "number") return value;
  const { by, decimals } = change;
  return rounded(change.do === "percent" ? value + (value * by) / 100 : value + by, decimals);
}

/**
 * Rounds half away from zero, in decimal: 1.005 is 1.01 with two decimal places, although its binary fraction is less.
 */
const rounded = (value: number, decimals: number): number =>
  (Math.sign(value) * Math.round(Number((Math.abs(value) * 10 ** decimals).toPrecision(15)))) /
  10 ** decimals;

/** A change as it is typed. */
export interface TypedChange {
  do: "set" | "percent" | "amount" | "clear" | "publish";
  text: string;
  decimals: string;
}

/** The change that is typed for a column of a type, or what is wrong with it. */
export function readChange(type: string, typed: TypedChange): Change | string {
  if (typed.do === "publish") return { do: "publish" };
  if (typed.do === "clear") return { do: "set", value: null };
  if (typed.text.trim() === "") return "Write a value.";
  if (typed.do === "set") return readValue(type, typed.text);
  const [by, decimals] = [numberIn(typed.text), numberIn(typed.decimals)];
  if (Number.isNaN(by)) return "Write a number, such as 10 or -2.5.";
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 6) return "Round to 0 to 6 decimal places.";
  return { do: typed.do, by, decimals };
}

function readValue(type: string, text: string): Change | string {
  if (type === "text") return { do: "set", value: text };
  if (type === "number" && Number.isNaN(numberIn(text))) return "Write a number, such as 9.5.";
  if (type === "boolean" && text !== "true" && text !== "false") return "Write true or false.";
  try {
    return { do: "set", value: type === "number" ? numberIn(text) : JSON.parse(text) };
  } catch {
    return "Write JSON, such as a list in brackets.";
  }
}

/** The number that a text is in decimal; NaN if it is none. An empty text is none. */
const numberIn = (text: string): number =>
  /^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : Number.NaN;
