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

/** The pages of a tenant that the navigation has. */
export function useNavigation(): { word: string; to: string }[] {
  const tenant = useTenant();
  const routes: Record<string, AnyRoute> = useRouter().routesById;
  return Object.values(routes).flatMap(({ fullPath, options }) => {
    const word = options.staticData?.navigation;
    return word === undefined ? [] : [{ word, to: fullPath.replace("{$tenant}", tenant) }];
  });
}
