import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { messageOf } from "../api/errors.ts";
import { request } from "../api/request.ts";
import { useTenant } from "../api/session.ts";
import { tenantLanguagesQuery } from "../pages/browse-model/tenant-languages.ts";
import { plainKinds } from "../pages/browse-model/words.ts";
import { exactDocument, foundEntitiesDocument, foundTasksDocument } from "./documents.ts";
import { entityGroups, exactGroups, groupSize, taskGroups } from "./entries-of.tsx";
import type { Group } from "./entry.ts";

/** The pause in typing after which the service is asked, in milliseconds. */
const pause = 150;

/** The most hits to read of items, which are hits for each field and language with the text, and of plain kinds. */
const mostHits = 60;

/**
 * Searches a tenant for a text, after a pause in typing. There are three requests, since the service refuses one as a
 * whole, and answers keys immediately while large queries wait for their turn.
 */
export function useFound(typed: string) {
  const tenant = useTenant();
  const queries = useQueryClient();
  const text = usePaused(typed);
  const exact = useSource("Exact match", text, false, async (signal) => {
    const { language } = await queries.ensureQueryData(tenantLanguagesQuery(tenant));
    return exactGroups(tenant, await request(tenant, exactDocument, { id: text, text, language }, signal));
  });
  const tasks = useSource("Tasks", text, true, async (signal) =>
    taskGroups(tenant, text, await request(tenant, foundTasksDocument, { text, first: groupSize }, signal)),
  );
  const entities = useSource("Everything else", text, true, async (signal) => {
    const variables = { text, first: groupSize, firstOf: mostHits, plainKinds };
    return entityGroups(tenant, text, await request(tenant, foundEntitiesDocument, variables, signal));
  });
  const isOld = typed !== text;
  return {
    exact: isOld ? [] : exact.groups,
    parts: [...tasks.groups, ...entities.groups].map((group) => ({ ...group, isOld: isOld || group.isOld })),
    /** True while something that would come first may be found yet. */
    isExactAwaited: isOld || exact.isAwaited,
    isAwaited: isOld || [exact, tasks, entities].some(({ isAwaited }) => isAwaited),
  };
}

/** Asks for groups; a failure is a group that says so. Those of an earlier text stay until then, if `keeps` is set. */
function useSource(
  title: string,
  text: string,
  keeps: boolean,
  read: (signal: AbortSignal) => Promise<Group[]>,
): { groups: Group[]; isAwaited: boolean } {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ["find", useTenant(), title, text],
    enabled: text !== "",
    // The reader sees the reason, and can try again.
    retry: false,
    placeholderData: keeps ? keepPreviousData : undefined,
    queryFn: ({ signal }) => read(signal),
  });
  if (text === "") return { groups: [], isAwaited: false };
  if (error !== null && !isFetching) {
    const again = {
      ...{ key: `failed ${title}`, name: messageOf(error), details: ["Try again"], staysOpen: true },
      action: () => void refetch(),
    };
    return { groups: [{ title, items: [again], isFailure: true }], isAwaited: false };
  }
  const groups = (data ?? []).map((group) => ({ ...group, isOld: isPlaceholderData }));
  return { groups, isAwaited: data === undefined || isPlaceholderData };
}

/** A text after a pause in its changes; no text needs no pause. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === "" ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
