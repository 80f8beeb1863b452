import { execFileSync } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { EmbeddedUnusable } from "../embedded-errors.ts";

/** A user by its ids, as `spawn` takes them. */
export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** The user that runs the database server, where it is another than that of this process. */
export interface ServerUser extends UserIds {
  readonly name: string;
}

/** PostgreSQL refuses to run as root: as whom it runs then, unless a setting or the folder says otherwise. */
const unprivileged = "nobody";

/**
 * Chooses the user of the server of a database's folder. Undefined means that of this process, which is so unless it
 * is root. Root runs it as `named`, else as the owner of the database that is in the folder, else as `nobody`.
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
