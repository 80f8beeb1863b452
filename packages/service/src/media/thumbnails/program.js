/**
 * The program of a process that makes thumbnails, so that a defect of a decoder, or an image that takes much memory, ends
 * this process and not the service. Reads the width of a thumbnail, the length of an image and the image, and writes 1,
 * the length of the thumbnail and the thumbnail, or 0 and 0 if it cannot be made. Ends with its input.
 *
 * In JavaScript, because without a compiler (`--jitless`) Node cannot strip types.
 */
import { constants, setPriority } from "node:os";

const { pixels, seconds, cannotLoad } = JSON.parse(process.argv[2]);
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // A sandbox may forbid it.
}
const { default: sharp } = await import("sharp").catch(() => process.exit(cannotLoad));
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
const decoded = ["Jpeg", "Png", "Nsgif", "Webp", "Heif"];
sharp.unblock({ operation: decoded.map((format) => `VipsForeignLoad${format}`) });

let width = 0;
let missing = 0;
let image = [];
for await (let chunk of process.stdin) {
  if (missing === 0) {
    [width, missing] = [chunk.readUInt32BE(0), chunk.readUInt32BE(4)];
    chunk = chunk.subarray(8);
  }
  image.push(chunk);
  missing -= chunk.length;
  if (missing > 0) continue;
  const whole = Buffer.concat(image);
  image = [];
  const thumbnail = await thumbnailOf(whole).catch(() => undefined);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(thumbnail ? 1 : 0, 0);
  head.writeUInt32BE(thumbnail?.length ?? 0, 4);
  process.stdout.write(thumbnail ? Buffer.concat([head, thumbnail]) : head);
}

/** Makes the first frame as wide as asked for, or as it is if it is smaller; at most twice as high as wide. */
function thumbnailOf(bytes) {
  return sharp(bytes, { limitInputPixels: pixels, failOn: "error" })
    .autoOrient()
    .resize({ width, height: 2 * width, fit: "inside", withoutEnlargement: true })
    .webp()
    .timeout({ seconds })
    .toBuffer();
}
