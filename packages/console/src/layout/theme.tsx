import { useSyncExternalStore } from "react";
import styles from "./frame.module.css";

const themes = ["light", "dark"] as const;

/** The labels of the themes; `""` follows the system. */
export const themeNames = { "": "Auto theme", light: "Light theme", dark: "Dark theme" } as const;
const key = "lading-theme";

/** The theme chosen in this browser; undefined follows the system. */
const chosenTheme = () => themes.find((theme) => theme === localStorage.getItem(key));

const apply = () => {
  document.documentElement.dataset.theme = chosenTheme() ?? "system";
};

const listeners = new Set<() => void>();

function change(): void {
  apply();
  for (const listener of listeners) listener();
}

// The browser paints nothing before this module has run: see `vite.config.ts`.
apply();
// Another tab chose a theme.
addEventListener("storage", change);

export function chooseTheme(theme: string): void {
  if (theme === "") localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  change();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The chosen theme; `""` if it follows the system. */
export const useTheme = () => useSyncExternalStore(subscribe, chosenTheme) ?? "";

export const ThemeChoice = () => (
  <select
    className={styles.theme}
    aria-label="Theme"
    value={useTheme()}
    onChange={({ target }) => chooseTheme(target.value)}
  >
    {Object.entries(themeNames).map(([theme, name]) => (
      <option key={theme} value={theme}>
        {name}
      </option>
    ))}
  </select>
);
