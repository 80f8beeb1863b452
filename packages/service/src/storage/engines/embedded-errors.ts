/** The embedded database cannot be used. The message says why and how to fix it, in sentences. */
export class EmbeddedUnusable extends Error {
  override name = "EmbeddedUnusable";
}

/** Native PostgreSQL cannot run here. The message is a clause that says why: "npm has not installed …". */
export class NativeCannotRun extends Error {
  override name = "NativeCannotRun";
}
