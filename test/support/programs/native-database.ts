import { openNative } from "../../../packages/service/src/storage/engines/native/native.ts";

/** Opens the embedded database of a folder, tells its parent so, and keeps it open. */
const [folder = ""] = process.argv.slice(2);
const { database } = await openNative(folder);
await database.script("CREATE TABLE IF NOT EXISTS cargo (id int); INSERT INTO cargo VALUES (7)");
process.send?.("open");
process.on("disconnect", () => process.exit());
