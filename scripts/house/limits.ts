/** The limits that `npm run house` holds. */
export const limits = {
  castsPerThousandLines: 4,
  /** In all of the sources. */
  any: 1,
  fileLines: 300,
  functionLines: 50,
  folderEntries: 20,
  walkFiles: 30,
} as const;

/** Folders that may have more entries than the limit: each is a list of things of one kind. */
export const listsOfOneKind: readonly RegExp[] = [
  /^packages\/schema\/src\/(components|resources)$/, // component types, payloads
  /^packages\/service\/src\/commands$/, // nouns of intents
  /^packages\/service\/src\/storage\/(collections|migrations)$/,
  /^docs(\/adr)?$/, // pages, decisions
  /^(packages\/[^/]+\/)?test\/(?!support)/, // tests
];

/** The parts of the service whose files, when an operation runs through them, must be on the list of the walk. */
export const walkParts: readonly string[] = ["runner", "templates", "commands", "domain", "storage"];
