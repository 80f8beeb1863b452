import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

/**
 * The thread that PGlite runs in. It is given messages of a PostgreSQL client, whole ones, and answers with what
 * PostgreSQL says to each as it comes; null is asked once to end, and said once to be ready.
 *
 * What a COMMIT wrote is in the files when its answer leaves: PGlite writes to them as PostgreSQL does, without a copy.
 */
const port = parentPort as MessagePort;
const engine = await PGlite.create(workerData as PGliteOptions);

const answer = (bytes: Uint8Array) => {
  const copy = bytes.slice(); // of the engine's memory
  port.postMessage(copy, [copy.buffer]);
};

port.on("message", async (bytes: Uint8Array | null) => {
  if (bytes === null) {
    await engine.close();
    port.close();
  } else if (bytes[0] === 0)
    answer(engine.execProtocolRawSync(bytes)); // the first message of a connection has a length, and no type before it
  else await engine.execProtocolRawStream(bytes, { onRawData: answer, syncToFs: false });
});
port.postMessage(null);
