import { Combobox } from "@base-ui/react/combobox";
import type { ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";
import inputStyles from "../../ui/input/input.module.css";
import styles from "./browse-model.module.css";
import { Stored } from "./stored.tsx";

export interface Language {
  code: string;
  name: string;
}

interface LanguagePickerProps {
  label: string;
  languages: readonly Language[];
  /** The code of the chosen one; undefined for none. */
  value: string | undefined;
  onChange: (code: string | undefined) => void;
  /** The words for no language, which can then be chosen. */
  none?: string;
  /** Shown next to a language: what the item has in it. */
  mark?: (code: string) => ReactNode;
}

const noLanguage = "";

/** A button with the chosen language, and a list of all that is searched by code and name. */
export function LanguagePicker({ label, languages, value, onChange, none, mark }: LanguagePickerProps) {
  const options = none === undefined ? languages : [{ code: noLanguage, name: none }, ...languages];
  const chosen = options.find(({ code }) => code === (value ?? noLanguage)) ?? null;
  return (
    <Combobox.Root
      items={options}
      value={chosen}
      onValueChange={(next) => next && onChange(next.code || undefined)}
      isItemEqualToValue={(a, b) => a.code === b.code}
      itemToStringLabel={({ code, name }) => `${code} ${name}`}
      autoHighlight
    >
      <span className={classNames(inputStyles.field, inputStyles.inline)}>
        <Combobox.Label>{label}</Combobox.Label>
        <Combobox.Trigger className={classNames(inputStyles.control, styles.trigger)}>
          {chosen?.code ? <code>{chosen.code}</code> : (chosen?.name ?? value)}
          {chosen?.code && mark?.(chosen.code)}
          <svg viewBox="0 0 10 10" fill="currentColor" aria-hidden="true">
            <path d="M1 3h8L5 8z" />
          </svg>
        </Combobox.Trigger>
      </span>
      <Combobox.Portal>
        <Combobox.Positioner className={styles.positioner} align="start" sideOffset={4}>
          <Combobox.Popup className={styles.popup} aria-label={label}>
            <Combobox.Input
              className={inputStyles.control}
              aria-label={`Find: ${label}`}
              placeholder="code or name"
            />
            <Combobox.Empty className={styles.noOption}>No matching language</Combobox.Empty>
            <Combobox.List className={styles.options}>
              {(option: Language) => (
                <Combobox.Item key={option.code} value={option} className={styles.option}>
                  <Combobox.ItemIndicator
                    render={
                      <svg
                        viewBox="0 0 12 12"
                        fill="none"
                        stroke="currentColor"
                        strokeWidth="2"
                        aria-hidden="true"
                      >
                        <path d="m2 6.5 2.8 2.8L10 3.2" />
                      </svg>
                    }
                  />
                  <code>{option.code}</code>
                  <Stored>{option.name}</Stored>
                  {option.code !== noLanguage && mark?.(option.code)}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
