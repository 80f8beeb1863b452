import { Refused, ServiceAway } from "../../api/errors.ts";
import { send } from "../../api/request.ts";

/** A part of a task's file. */
interface FilePart {
  bytes: Uint8Array;
  /** The length of the whole file. */
  size: number;
}

/**
 * Reads the bytes of a task's file from `start` to before `end`, fewer at its end. Nothing else of the file
 * is read. Throws `Refused`, named 404 or 410 if the file is gone and 416 if it has none of these bytes.
 */
export async function readPart(
  address: string,
  { start, end }: { start: number; end: number },
  signal: AbortSignal,
): Promise<FilePart> {
  const response = await send(address, { headers: { range: `bytes=${start}-${end - 1}` }, signal });
  const size = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1]);
  if (response.status !== 206 || Number.isNaN(size)) {
    await response.body?.cancel();
    throw new Refused(
      "NotAPart",
      "The server ignored the byte range and sent the whole file, which is not read",
    );
  }
  try {
    return { bytes: new Uint8Array(await response.arrayBuffer()), size };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ServiceAway("The download was cut off", { cause: error });
  }
}
