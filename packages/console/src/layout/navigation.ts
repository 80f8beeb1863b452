import { type AnyRoute, useRouter } from "@tanstack/react-router";
import { useTenant } from "../api/session.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The page's name in the navigation; pages without one are reached through others. */
    navigation?: string;
  }
}

/** The first page of a tenant. */
export const firstPage = "/@{$tenant}/overview";

/**
 * Returns a function that remembers the page on which something begins. It returns another one, which is true while
 * the reader has chosen no other page: one stays mounted until the script of the next has come.
 */
export function useStay(): () => () => boolean {
  const router = useRouter();
  return () => {
    const { pathname } = router.latestLocation;
    return () => router.latestLocation.pathname === pathname;
  };
}

/** The pages of a tenant that the navigation has. */
export function useNavigation(): { word: string; to: string }[] {
  const tenant = useTenant();
  const routes: Record<string, AnyRoute> = useRouter().routesById;
  return Object.values(routes).flatMap(({ fullPath, options }) => {
    const word = options.staticData?.navigation;
    return word === undefined ? [] : [{ word, to: fullPath.replace("{$tenant}", tenant) }];
  });
}
