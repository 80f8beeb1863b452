import { graphql, type ResultOf } from "../service/documents.ts";
import { type Endpoint, request, succeeded } from "../service/graphql.ts";
import type { FolderFile } from "./folder.ts";

const fileFields = graphql(`
  fragment FileFields on AppliedFile { name state sha256 unfinishedTask task { id endedAt } }`);

const filesQuery = graphql(
  `
  query AppliedFiles($after: String) {
    appliedFiles(first: 1000, after: $after) {
      pageInfo { endCursor hasNextPage }
      edges { node { ...FileFields } }
    }
  }`,
  [fileFields],
);

/** A file that the service has run, with the newest run of it. */
export type AppliedFile = ResultOf<typeof fileFields>;

/** Reads which files of folders the tenant has run. */
async function readLedger(endpoint: Endpoint): Promise<AppliedFile[]> {
  const files: AppliedFile[] = [];
  for (let after = ""; ; ) {
    const { pageInfo, edges } = (await request(endpoint, filesQuery, { after })).appliedFiles;
    files.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) return files;
    after = pageInfo.endCursor ?? "";
  }
}

/** A file of the folder, or one that was run and is not in the folder, and what became of it. */
export interface Entry {
  readonly name: string;
  /** `changed`, `renamed` (to the name `is`) and `removed` were applied as another file than the folder has now. */
  readonly state: "applied" | "pending" | "failed" | "running" | "changed" | "renamed" | "removed";
  readonly file: FolderFile | undefined;
  readonly run: AppliedFile | undefined;
  readonly is?: string;
}

/** Compares a folder with what the tenant has run, in the order of names; removed files come last. */
export async function readEntries(endpoint: Endpoint, files: readonly FolderFile[]): Promise<Entry[]> {
  const runs = new Map((await readLedger(endpoint)).map((run) => [run.name, run]));
  const inFolder = files.map((file): Entry => {
    const run = runs.get(file.name);
    runs.delete(file.name);
    return { name: file.name, state: stateOf(file, run), file, run };
  });
  const gone = [...runs.values()].filter(({ state }) => state !== "PENDING");
  return [
    ...inFolder,
    ...gone.map((run): Entry => {
      const renamed = inFolder.find(({ state, file }) => state === "pending" && file?.sha256 === run.sha256);
      return {
        ...{ name: run.name, file: undefined, run },
        ...(renamed ? { state: "renamed", is: renamed.name } : { state: "removed" }),
      };
    }),
  ];
}

function stateOf(file: FolderFile, run: AppliedFile | undefined): Entry["state"] {
  if (run === undefined) return "pending";
  const states = { PENDING: "pending", FAILED: "failed", RUNNING: "running", APPLIED: "applied" } as const;
  const state = states[run.state];
  return state === "applied" && run.sha256 !== file.sha256 ? "changed" : state;
}

const acceptMutation = graphql(`
  mutation AcceptAppliedFile($name: String!, $sha256: String!) {
    acceptAppliedFile(name: $name, sha256: $sha256) {
      ... on AppliedFile { name }
      ... on BasicError { error errorName }
    }
  }`);

/** Lets a changed file count as the one that was applied. */
export async function acceptFile(endpoint: Endpoint, { name, sha256 }: FolderFile): Promise<void> {
  succeeded((await request(endpoint, acceptMutation, { name, sha256 })).acceptAppliedFile);
}
