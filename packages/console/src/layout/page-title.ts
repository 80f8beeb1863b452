import { useMatches, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { storeOf } from "../api/store.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The page's title, until the page gives a better one by `usePageTitle`; by default its name in the navigation. */
    title?: string;
  }
}

const own = storeOf<string | undefined>(undefined);

/** Sets the title of the page that is shown, such as `run spring.json · 43 %`; undefined while it is loading. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    own.set(title);
    return () => own.set(undefined);
  }, [title]);
}

/** The title of the current route; undefined if it has none. */
export const useRouteTitle = () =>
  useMatches({
    select: (matches) => {
      const { title, navigation } = matches.at(-1)?.staticData ?? {};
      return title ?? navigation;
    },
  });

/** Writes the title of each page into the tab: `run spring.json · 43 % · Lading · shop`. */
export function useDocumentTitle(): void {
  const { tenant } = useParams({ strict: false });
  const page = own.use();
  const route = useRouteTitle();
  const title = [page ?? route, "Lading", tenant].filter((part) => part !== undefined).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
