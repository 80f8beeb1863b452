/** Limits of messages, arguments and answers of `lading mcp`. */
export const mcpLimits = {
  /** A message, before it is parsed. */
  messageBytes: 4 * 1024 * 1024,
  /** Members and entries of a call's arguments, before they are validated. */
  argumentValues: 100_000,
  operations: 1_000,
  /** The JSON of the operations of a call, in UTF-16 units. */
  operationsLength: 1024 * 1024,
  /** The JSON of the data of an answer, in UTF-16 units. */
  dataLength: 24_000,
  /** The rows of its list, together. */
  rowsLength: 14_000,
  /** The rest of the data, together. */
  restLength: 8_000,
  /** A text in it. */
  textLength: 500,
  /** Entries of a list in it, also of the list that is asked for. */
  entries: 50,
  /** Nesting of its lists and objects. */
  depth: 12,
  /** A call's wait for the end of a task: clients give up after a minute. */
  waitSeconds: 30,
} as const;
