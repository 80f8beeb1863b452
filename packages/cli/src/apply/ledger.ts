import { graphql, type ResultOf } from "../service/documents.ts";
import { type Endpoint, request, succeeded } from "../service/graphql.ts";
import { byCodePoints, type FolderFile } from "./folder.ts";

const fileFields = graphql(`
  fragment FileFields on AppliedFile {
    name state sha256 unfinishedTask toRetry outcomesToRetry toUndo task { id status endedAt }
  }`);

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

/** Compares a folder with what the tenant has run, in the order of names. */
export async function readEntries(endpoint: Endpoint, files: readonly FolderFile[]): Promise<Entry[]> {
  const runs = new Map((await readLedger(endpoint)).map((run) => [run.name, run]));
  const inFolder = files.map((file): Entry => {
    const run = runs.get(file.name);
    runs.delete(file.name);
    return { name: file.name, state: stateOf(file, run), file, run };
  });
  const gone = [...runs.values()].filter(({ state }) => state !== "PENDING");
  const entries = [
    ...inFolder,
    ...gone.map((run): Entry => {
      const entry = { name: run.name, file: undefined, run };
      if (run.state !== "APPLIED") return { ...entry, state: states[run.state] };
      const renamed = inFolder.find(({ state, file }) => state === "pending" && file?.sha256 === run.sha256);
      return { ...entry, ...(renamed ? { state: "renamed", is: renamed.name } : { state: "removed" }) };
    }),
  ];
  return entries.sort((one, other) => byCodePoints(one.name, other.name));
}

const states = { PENDING: "pending", FAILED: "failed", RUNNING: "running", APPLIED: "applied" } as const;

function stateOf(file: FolderFile, run: AppliedFile | undefined): Entry["state"] {
  if (run === undefined) return "pending";
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

/** Lets a file that has changed or failed count as applied. */
export async function acceptFile(
  endpoint: Endpoint,
  { name, sha256 }: Pick<FolderFile, "name" | "sha256">,
): Promise<void> {
  succeeded((await request(endpoint, acceptMutation, { name, sha256 })).acceptAppliedFile);
}
