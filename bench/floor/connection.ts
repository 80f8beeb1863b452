import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";

/** One connection to a database of either kind, without the service in between. */
export interface Connection {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Loads rows in the text format of COPY; `target` is a table and its columns. */
  copy(target: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Connects to a server as the service does, but without timeouts. */
export async function connectPostgres(connectionString: string): Promise<Connection> {
  const client = new pg.Client({ connectionString, options: "-c timezone=UTC" });
  await client.connect();
  return {
    query: async <Row>(sql: string, parameters?: readonly unknown[]) =>
      (await client.query(sql, parameters && [...parameters])).rows as Row[],
    copy: (target, text) =>
      new Promise((resolve, reject) => {
        client.query(copyFrom(`COPY ${target} FROM STDIN`, text, resolve, reject));
      }),
    close: () => client.end(),
  };
}

/** The events the driver passes to a custom query (pg: `Submittable`). */
interface CopyQuery extends pg.Submittable {
  handleCopyInResponse(connection: CopyTarget): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

interface CopyTarget {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

function copyFrom(sql: string, text: string, resolve: () => void, reject: (error: Error) => void): CopyQuery {
  return {
    submit: (connection) => connection.query(sql),
    handleCopyInResponse(connection) {
      connection.sendCopyFromChunk(Buffer.from(text));
      connection.endCopyFrom();
    },
    handleCommandComplete() {},
    handleReadyForQuery: resolve,
    handleError: reject,
  };
}

/** Opens the PGlite of a stopped service; `folder` is its data folder. */
export async function connectPglite(folder: string): Promise<Connection> {
  const engine = await PGlite.create(join(folder, "database", "pglite"));
  return {
    query: async <Row>(sql: string, parameters?: readonly unknown[]) =>
      (await engine.query(sql, parameters && [...parameters])).rows as Row[],
    copy: async (target, text) => {
      await engine.query(`COPY ${target} FROM '/dev/blob'`, [], { blob: new Blob([text]) });
    },
    close: () => engine.close(),
  };
}
