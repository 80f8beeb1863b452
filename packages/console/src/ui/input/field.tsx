import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { classNames } from "../class-names.ts";
import styles from "./input.module.css";
import { useShortcuts } from "./shortcuts.ts";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  /** True: the input is next to its label. */
  isInline?: boolean;
}

/** An input below its label. */
export const Field = ({ label, isInline = false, className, ...rest }: FieldProps) => (
  <label className={classNames(styles.field, isInline && styles.inline)}>
    {label}
    <input {...rest} className={classNames(styles.control, className)} />
  </label>
);

export const Choice = <Value extends string>({
  label,
  value,
  options,
  none = "all",
  onChange,
}: {
  label: string;
  value: Value | undefined;
  options: readonly Value[];
  /** The label of no value. */
  none?: string;
  onChange: (value: Value | undefined) => void;
}) => (
  <label className={classNames(styles.field, styles.inline)}>
    {label}
    <select
      className={styles.control}
      value={value ?? ""}
      onChange={(event) => onChange(options.find((option) => option === event.target.value))}
    >
      <option value="">{none}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  </label>
);

/** The longest text that the service searches for, in UTF-16 units. */
export const longestText = 200;

/** A text filter. Reports its value after a pause in typing, and immediately on Enter. */
export function FilterText({
  label,
  value = "",
  placeholder,
  onChange,
  isFirst = false,
}: {
  label: string;
  value: string | undefined;
  placeholder?: string;
  onChange: (value: string | undefined) => void;
  /** True for the page's first filter, which `/` leads to. */
  isFirst?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts(isFirst ? { "/": () => input.current?.focus() } : {});
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  const [given, setGiven] = useState(value);
  if (value !== given) {
    setGiven(value);
    // What was reported comes back as the value, maybe after more was typed.
    if (value !== told) {
      setTold(value);
      setTyped(value);
    }
  }
  const tell = (text: string) => {
    if (text === told) return;
    setTold(text);
    onChange(text === "" ? undefined : text);
  };
  const onPause = useEffectEvent(tell);
  useEffect(() => {
    const timer = setTimeout(() => onPause(typed), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label className={classNames(styles.field, styles.inline)}>
      {label}
      <input
        ref={input}
        type="search"
        className={styles.control}
        maxLength={longestText}
        value={typed}
        placeholder={placeholder}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && tell(typed)}
        // Later, a link that was clicked would lead to another page.
        onBlur={() => tell(typed)}
      />
    </label>
  );
}

/** A checkbox with its label and, in smaller type, its consequence. */
export const Check = ({ children, note, ...rest }: ComponentProps<"input"> & { note?: ReactNode }) => (
  <label className={styles.check}>
    <input {...rest} type="checkbox" />
    <span>
      {children} {note !== undefined && <small>{note}</small>}
    </span>
  </label>
);
