import { getRouteApi } from "@tanstack/react-router";

const route = getRouteApi("/@{$tenant}/tasks/$task");

/** The URL's filter of a task's log as the API takes it; undefined without one. */
export function useLogFilter() {
  const { status, action, intent, cause, text, error, unrepaired } = route.useSearch();
  const given = {
    ...(status && { status }),
    ...(action && { action }),
    ...(intent && { operationTypeStartsWith: intent }),
    ...(cause && { cause }),
    ...(text && { text }),
    ...(error && { errorName: error }),
    ...(unrepaired && { unrepaired }),
  };
  return Object.keys(given).length === 0 ? undefined : given;
}

export type LogFilter = NonNullable<ReturnType<typeof useLogFilter>>;
