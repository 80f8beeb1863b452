import { useMemo } from "react";
import { Copy } from "./id.tsx";
import styles from "./json.module.css";

/** Characters beyond which a text is shown without colours: each colour is an element. */
const colouredCharacters = 40_000;

export function Json({ value, name }: { value: unknown; name: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "null", [value]);
  return <JsonText text={text} name={name} />;
}

/** A JSON text, unchanged. */
export function JsonText({ text, name }: { text: string; name: string }) {
  const parts = useMemo(() => (text.length > colouredCharacters ? [{ text, at: 0 }] : partsOf(text)), [text]);
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard. */}
      <section className={styles.json} tabIndex={0} aria-label={name}>
        {parts.map((part) =>
          part.kind === undefined ? (
            part.text
          ) : (
            <span key={part.at} className={styles[part.kind]}>
              {part.text}
            </span>
          ),
        )}
      </section>
      <span className={styles.copy}>
        <Copy text={text} name={name} />
      </span>
    </div>
  );
}

interface Part {
  kind?: "key" | "string" | "literal";
  text: string;
  /** Its offset in the text. */
  at: number;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

/** Splits a JSON text into keys, strings, other values and the text between them. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon] = match;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), at: end });
    const kind = quoted === undefined ? "literal" : colon === undefined ? "string" : "key";
    parts.push({ kind, text: whole, at: match.index });
    end = match.index + whole.length;
  }
  parts.push({ text: text.slice(end), at: end });
  return parts;
}
