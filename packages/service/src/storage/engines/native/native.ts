import { chmodSync, chownSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ownFolder } from "../../../system/folders.ts";
import type { Database } from "../../database.ts";
import { guardDisk } from "../disk-guard.ts";
import { lockFolder } from "../folder-lock.ts";
import { openPostgresAt } from "../postgres.ts";
import { type Binaries, namedBinaries, prepareBinaries } from "./binaries.ts";
import { clusterFolder, prepareCluster, sessionOptions, superuser } from "./cluster.ts";
import { Keeper } from "./keeper.ts";
import { endLeftover } from "./leftover.ts";
import { Server, type ServerLogger } from "./server.ts";
import { type ServerUser, serverUser } from "./server-user.ts";
import { type Socket, socketFor } from "./socket.ts";

export interface NativeOptions {
  /** The user to run the server as, if root. */
  user?: string | undefined;
  /** The folder of PostgreSQL's programs; default: those that npm installed. */
  programs?: string | undefined;
  guard?: { readonly reserve: number; readonly logger: ServerLogger } | undefined;
}

export interface NativeDatabase {
  readonly database: Database;
  /** Such as `18.4`. */
  readonly version: string;
}

const silent: ServerLogger = { info() {}, warn() {}, error() {} };

/**
 * Opens PostgreSQL as a server of this process on a folder, which is locked; creates a database if there is none.
 * @throws NativeCannotRun when it cannot run here; the folder is then unchanged and unlocked
 * @throws FolderLocked when another process holds it; EmbeddedUnusable
 */
export async function openNative(folder: string, options: NativeOptions = {}): Promise<NativeDatabase> {
  const location = resolve(folder);
  const user = serverUser(clusterFolder(location), options.user);
  ownFolder(location);
  // Next to the folder, where the server's user cannot put a link for root to follow.
  const unlock = lockFolder(location, "nextTo");
  try {
    const binaries = await handedOver(location, user, () =>
      options.programs === undefined
        ? prepareBinaries(location, user)
        : namedBinaries(location, user, options.programs),
    );
    await endLeftover(location);
    await prepareCluster(location, binaries, user);
    return {
      database: await serve(location, { binaries, user, unlock, guard: options.guard }),
      version: binaries.version,
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Hands the folder to the server's user for good, unless the work fails. */
async function handedOver<Result>(
  folder: string,
  user: ServerUser | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (user === undefined) return work();
  const above = dirname(folder);
  const [{ uid, gid }, { mode }] = [statSync(folder), statSync(above)];
  chownSync(folder, user.uid, user.gid);
  // That user must be able to pass through, but need not list it.
  if ((mode & 0o001) === 0) chmodSync(above, (mode & 0o7777) | 0o011);
  try {
    return await work();
  } catch (error) {
    chmodSync(above, mode & 0o7777);
    chownSync(folder, uid, gid);
    throw error;
  }
}

interface Parts extends Pick<NativeOptions, "guard"> {
  binaries: Binaries;
  user: ServerUser | undefined;
  unlock: () => void;
}

async function serve(folder: string, { binaries, user, unlock, guard }: Parts): Promise<Database> {
  const logger = guard?.logger ?? silent;
  const socket = socketFor(folder, user);
  const keeper = new Keeper(user, socket);
  const server = new Server({ database: folder, binaries, user, socket, keeper, logger });
  const end = async (how: "fast" | "immediate") => {
    await server.stop(how);
    await keeper.release();
    unlock();
  };
  try {
    await server.start();
  } catch (error) {
    await keeper.release();
    throw error;
  }
  const connections = openPostgresAt(addressOf(socket));
  const database = {
    ...connections,
    close: async () => {
      await connections.close();
      await end("fast");
    },
  };
  const abandon = async () => {
    await end("immediate");
    await connections.close();
  };
  return guard === undefined ? database : guardDisk(database, { ...guard, folder, abandon });
}

function addressOf({ folder }: Socket) {
  const url = `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const host = { name: folder, url };
  return {
    hosts: [host],
    target: "any",
    user: superuser,
    database: "postgres",
    options: sessionOptions,
  } as const;
}
