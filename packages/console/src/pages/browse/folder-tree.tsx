import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { classNames } from "../../ui/class-names.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { Button } from "../../ui/input/button.tsx";
import { shortId } from "../../ui/values/id.tsx";
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
    <FolderLink id={root} name="All items" isRoot open={open} language={language} />
    <Folders parent={root} open={open} language={language} />
  </nav>
);

function Folders({ parent, open, language }: TreeProps & { parent: string }) {
  const tenant = useTenant();
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ["folders", tenant, parent, language],
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
          {folders.map(({ id, name }) => (
            <Folder key={id} id={id} name={name ?? shortId(id)} open={open} language={language} />
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
  name: string;
}

function Folder({ id, name, open, language }: FolderProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <li>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={isUnfolded}
        aria-label={`Folders in ${name}`}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M4 2.5 8 6 4 9.5z" fill="currentColor" />
        </svg>
      </button>
      <FolderLink id={id} name={name} open={open} language={language} />
      {isUnfolded && <Folders parent={id} open={open} language={language} />}
    </li>
  );
}

function FolderLink({ id, name, open, isRoot = false }: FolderProps & { isRoot?: boolean }) {
  const { language } = route.useSearch();
  return (
    <Link
      from="/@{$tenant}/browse"
      search={{ ...(language && { language }), ...(!isRoot && { folder: id }) }}
      className={classNames(styles.folder, id === open && styles.open)}
      aria-current={id === open ? "true" : undefined}
      activeOptions={{ exact: true }}
      title={name}
    >
      {name}
    </Link>
  );
}
