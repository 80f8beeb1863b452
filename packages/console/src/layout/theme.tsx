import { useSyncExternalStore } from "react";
import styles from "./frame.module.css";

const themes = ["light", "dark"] as const;
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

function choose(theme: string): void {
  if (theme === "") localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  change();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const ThemeChoice = () => (
  <select
    className={styles.theme}
    aria-label="Theme"
    value={useSyncExternalStore(subscribe, chosenTheme) ?? ""}
    onChange={({ target }) => choose(target.value)}
  >
    <option value="">Auto theme</option>
    <option value="light">Light theme</option>
    <option value="dark">Dark theme</option>
  </select>
);
