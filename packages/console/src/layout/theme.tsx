import { storeOf } from "../api/store.ts";
import styles from "./frame.module.css";

const themes = ["light", "dark"] as const;

/** The labels of the themes; `""` follows the system. */
export const themeNames = { "": "Auto theme", light: "Light theme", dark: "Dark theme" } as const;
const key = "lading-theme";

/** The theme chosen in this browser; `""` follows the system. */
const storedTheme = () => themes.find((theme) => theme === localStorage.getItem(key)) ?? "";

const chosen = storeOf(storedTheme());

function apply(): void {
  chosen.set(storedTheme());
  document.documentElement.dataset.theme = chosen.get() || "system";
}

// The browser paints nothing before this module has run: see `vite.config.ts`.
apply();
// Another tab chose a theme.
addEventListener("storage", apply);

export function chooseTheme(theme: string): void {
  if (theme === "") localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  apply();
}

export const useTheme = chosen.use;

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
