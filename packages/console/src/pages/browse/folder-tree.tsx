import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { success } from "../../api/errors.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { classNames } from "../../ui/class-names.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { Button } from "../../ui/input/button.tsx";
import { type DisplayName, Name } from "../browse-model/stored.tsx";
import styles from "./browse.module.css";
import { foldersDocument } from "./documents.ts";

const route = getRouteApi("/@{$tenant}/browse");

interface TreeProps {
  open: string;
  language: string;
}

/** A tenant's folders. Subfolders load when a folder is expanded, 50 at a time. */
export const FolderTree = ({ root, open, language }: TreeProps & { root: string }) => (
  <nav className={styles.tree} aria-label="Folders">
    <FolderLink id={root} isRoot open={open} language={language}>
      Root folder
    </FolderLink>
    <Folders parent={root} open={open} language={language} />
  </nav>
);

function Folders({ parent, open, language }: TreeProps & { parent: string }) {
  const tenant = useTenant();
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: [entitiesKey, tenant, "folders", parent, language],
    initialPageParam: "",
    queryFn: async ({ pageParam: after, signal }) =>
      success((await request(tenant, foldersDocument, { parent, language, after }, signal)).items),
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  const folders = data?.pages.flatMap(({ edges }) => edges.map(({ node }) => node)) ?? [];
  return (
    <>
      {folders.length > 0 && (
        <ul>
          {folders.map(({ id, displayName }) => (
            <Folder key={id} id={id} name={displayName} open={open} language={language} />
          ))}
        </ul>
      )}
      {data !== undefined && folders.length === 0 && <p className={styles.none}>No folders</p>}
      {hasNextPage && (
        <Button kind="plain" isBusy={isFetching} onClick={() => void fetchNextPage()}>
          More folders
        </Button>
      )}
    </>
  );
}

interface FolderProps extends TreeProps {
  id: string;
  name: DisplayName | null;
}

function Folder({ id, name, open, language }: FolderProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <li>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={isUnfolded}
        aria-label={`Folders in ${name?.name ?? id}`}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M4 2.5 8 6 4 9.5z" fill="currentColor" />
        </svg>
      </button>
      <FolderLink id={id} open={open} language={language}>
        <Name name={name} language={language} id={id} />
      </FolderLink>
      {isUnfolded && <Folders parent={id} open={open} language={language} />}
    </li>
  );
}

interface FolderLinkProps extends TreeProps {
  id: string;
  isRoot?: boolean;
  children: ReactNode;
}

function FolderLink({ id, open, isRoot = false, children }: FolderLinkProps) {
  const { language } = route.useSearch();
  return (
    <Link
      from="/@{$tenant}/browse"
      search={{ ...(language && { language }), ...(!isRoot && { folder: id }) }}
      className={classNames(styles.folder, id === open && styles.open)}
      aria-current={id === open ? "true" : undefined}
      activeOptions={{ exact: true }}
    >
      {children}
    </Link>
  );
}
