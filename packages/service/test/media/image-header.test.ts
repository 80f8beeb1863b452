import { describe, expect, test } from "vitest";
import { avif, gif, jpeg, png, svg, webp } from "../../../../test/support/images/samples.ts";
import { readImageHeader } from "../../src/media/image-header.ts";

describe("the header of an image", () => {
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a text", Buffer.from("not an image")],
    ["an HTML page with a drawing in it", Buffer.from('<html><svg width="1" height="1"></svg></html>')],
    ["a page that a comment makes look like a drawing", Buffer.from("<!-- <svg > --><p>no</p>")],
    ["an element whose name only begins with svg", Buffer.from("<svgx width='1'/>")],
    ["a drawing that is only announced", Buffer.from('<?xml version="1.0"?>')],
    ["a PNG that ends within its header", png(3, 2).subarray(0, 18)],
    ["a GIF that ends within its header", gif(3, 2).subarray(0, 7)],
    ["a PNG without a width", png(0, 2)],
    ["a PNG that is wider than the format allows", png(0xffff_ffff, 2)],
    ["a JPEG without a frame", jpeg(3, 2).subarray(0, 20)],
    [
      "a WebP of a kind that is not known",
      Buffer.concat([webp(3, 2).subarray(0, 15), Buffer.from("?"), Buffer.alloc(20)]),
    ],
    ["an AVIF without a size", avif(3, 2).subarray(0, 60)],
    ["a HEIC", avif(3, 2, "heic").subarray(0, 16)],
    ["a PDF", Buffer.from("%PDF-1.7\n")],
    ["a BMP", Buffer.concat([Buffer.from("BM"), Buffer.alloc(60, 1)])],
  ])("no image header is found in %s", (_, bytes) => {
    expect(readImageHeader(bytes)).toBeUndefined();
  });

  test.each([
    ["gif", gif(640, 480)],
    ["png", png(640, 480)],
    ["jpg", jpeg(640, 480)],
    ["webp", webp(640, 480)],
    ["avif", avif(640, 480)],
    ["avif", avif(640, 480, "mif1")],
    ["svg", svg('width="640" height="480px"')],
  ])("the header of a %s has its size", (type, bytes) => {
    expect(readImageHeader(bytes)).toEqual({ type, width: 640, height: 480 });
  });

  test("the size of a photo taken on its side is the size as it is shown", () => {
    expect(readImageHeader(jpeg(640, 480, 6))).toEqual({ type: "jpg", width: 480, height: 640 });
    expect(readImageHeader(jpeg(640, 480, 3))).toEqual({ type: "jpg", width: 640, height: 480 });
  });

  test.each([
    ["its view box", 'viewBox="0 0 12.5 8"', 13, 8],
    ["its width and its view box", 'width="5" viewBox="0,0,10,10"', 5, 10],
    ["nothing, if its units depend on where it is shown", 'width="50%" height="3em"', null, null],
    ["nothing, if it does not say it", "", null, null],
  ])("the size of a drawing is given by %s", (_, attributes, width, height) => {
    expect(readImageHeader(svg(attributes))).toEqual({ type: "svg", width, height });
  });

  test("the header of a drawing is found behind all that XML allows before it", () => {
    const before = '\uFEFF<?xml version="1.0"?>\n<!-- a -- b -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n';
    expect(readImageHeader(svg(undefined, before))).toMatchObject({ type: "svg", width: 30 });
    expect(readImageHeader(Buffer.from('<s:svg width="3" height="2"/>'))).toMatchObject({ width: 3 });
  });

  test("the header of an image is looked for in bounded time, whatever the bytes are", () => {
    const size = 512 * 1024;
    const boxes = Buffer.alloc(size);
    for (let at = 0; at + 20 <= size; at += 20) boxes.write("\0\0\0\x14ispe", at, "latin1");
    const ipco = Buffer.concat([Buffer.from([0, 8, 0, 8]), Buffer.from("ipco"), boxes]);
    const iprp = Buffer.concat([Buffer.from([0, 8, 0, 16]), Buffer.from("iprp"), ipco]);
    const meta = Buffer.concat([Buffer.from([0, 8, 0, 28]), Buffer.from("meta\0\0\0\0"), iprp]);
    const file = Buffer.concat([avif(1, 1).subarray(0, 24), meta]);
    for (const bytes of [
      file,
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(size)]),
      Buffer.from(`<?${"?".repeat(size)}`),
      Buffer.from(`<!--${"-".repeat(size)}`),
      Buffer.from(`<svg ${"a=".repeat(size / 2)}`),
      Buffer.from(" ".repeat(size)),
    ])
      readImageHeader(bytes);
  }, 20_000);
});
