import { useQuery } from "@tanstack/react-query";
import type { LinkProps } from "@tanstack/react-router";
import { sessionQuery, useRole, useTenant } from "../api/session.ts";
import { firstPage, useNavigation } from "../layout/navigation.ts";
import { chooseTheme, themeNames, useTheme } from "../layout/theme.tsx";
import { titleOfKind } from "../pages/kind/kind.ts";
import { isKindWord, kindTables } from "../pages/kind/kinds.tsx";
import { type Entry, entriesWith, type Group } from "./entry.ts";

/** The pages of the console and its actions, those with a text in their names. */
export function useOwnGroups(text: string, onSignOut: () => void): Group[] {
  const pages = usePages();
  const actions = useActions(onSignOut);
  return [
    { title: "Pages", items: entriesWith(text, pages) },
    { title: "Actions", items: entriesWith(text, actions) },
  ];
}

function usePages(): Entry[] {
  const tenant = useTenant();
  const navigation = useNavigation();
  const kinds = Object.keys(kindTables).filter(isKindWord);
  return [
    ...navigation.map(
      ({ word, to }): Entry => ({
        key: `page ${word}`,
        name: word,
        // The type knows only paths with their parameters.
        link: { to: to as LinkProps["to"] },
      }),
    ),
    ...kinds.map(
      (kind): Entry => ({
        key: `page ${kind}`,
        name: titleOfKind(kind),
        details: ["Browse"],
        link: { to: "/@{$tenant}/browse/$kind", params: { tenant, kind } },
      }),
    ),
  ];
}

function useActions(onSignOut: () => void): Entry[] {
  const tenant = useTenant();
  const role = useRole();
  const theme = useTheme();
  const { data } = useQuery(sessionQuery);
  const run: Entry = {
    ...{ key: "run", name: role === "planner" ? "Plan a file" : "Run a file" },
    link: { to: "/@{$tenant}/run", params: { tenant } },
  };
  const others = (data?.tenants ?? []).filter(({ identifier }) => identifier !== tenant);
  return [
    ...(role === "reader" ? [] : [run]),
    ...others.map(
      ({ identifier }): Entry => ({
        key: `tenant ${identifier}`,
        name: `Switch to the tenant ${identifier}`,
        link: { to: firstPage, params: { tenant: identifier } },
      }),
    ),
    ...Object.entries(themeNames)
      .filter(([word]) => word !== theme)
      .map(([word, name]): Entry => ({ key: `theme ${word}`, name, action: () => chooseTheme(word) })),
    { key: "sign in", name: "Sign in to another tenant", link: { to: "/sign-in" } },
    { key: "sign out", name: "Sign out", action: onSignOut },
  ];
}
