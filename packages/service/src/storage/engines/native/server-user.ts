import { execFileSync } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { EmbeddedUnusable } from "../embedded-errors.ts";

/** A user by its ids, as `spawn` takes them. */
export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** The user that runs the database server, if it differs from this process's. */
export interface ServerUser extends UserIds {
  readonly name: string;
}

/** PostgreSQL refuses to run as root: the default user it runs as instead. */
const unprivileged = "nobody";

/**
 * Chooses the server's user for a database folder. Undefined means this process's user, unless that is root. Root runs
 * it as `named`, else as the owner of the folder's database, else as `nobody`.
 * @throws EmbeddedUnusable when there is no such user, or it is root itself
 */
export function serverUser(cluster: string, named: string | undefined): ServerUser | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  if (named === undefined && existsSync(cluster)) {
    const { uid, gid } = lstatSync(cluster);
    if (uid !== 0) return { uid, gid, name: `user ${uid}` };
  }
  const name = named ?? unprivileged;
  const user = { ...idsOf(name), name };
  if (user.uid === 0)
    throw new EmbeddedUnusable(
      `PostgreSQL does not run as ${name}: name a user other than root with LADING_DATABASE_USER.`,
    );
  return user;
}

function idsOf(name: string): UserIds {
  const id = (flag: string) => {
    const text = execFileSync("id", [flag, "--", name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number(text);
  };
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch (error) {
    throw new EmbeddedUnusable(
      `There is no user ${name} to run the embedded database: name one with LADING_DATABASE_USER.`,
      { cause: error },
    );
  }
}
