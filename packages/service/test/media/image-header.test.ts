import { describe, expect, test } from "vitest";
import { avif, gif, jpeg, png, svg, webp } from "../../../../test/support/images/samples.ts";
import { readImageHeader } from "../../src/media/image-header.ts";

const size = 512 * 1024;

const filledWith = (begin: Buffer | string, piece: Buffer | string) =>
  Buffer.concat([Buffer.from(begin), Buffer.alloc(size, piece)]).subarray(0, size);

const uint32 = (value: number) => Buffer.from([24, 16, 8, 0].map((shift) => (value >>> shift) & 255));

const box = (name: string, ...content: Buffer[]) => {
  const inner = Buffer.concat(content);
  return Buffer.concat([uint32(inner.length + 8), Buffer.from(name), inner]);
};

const avifOf = (...properties: Buffer[]) =>
  Buffer.concat([
    avif(1, 1).subarray(0, 24),
    box("meta", uint32(0), box("iprp", box("ipco", ...properties))),
  ]);

const startOfImage = Buffer.from([0xff, 0xd8]);
const segment = (marker: number, content: string) =>
  Buffer.concat([Buffer.from([0xff, marker, 0, 2 + content.length]), Buffer.from(content, "latin1")]);

const hostileHeaders: [what: string, bytes: Buffer][] = [
  [
    "an AVIF of 3,200 sizes",
    avifOf(...Array.from({ length: 3_200 }, () => box("ispe", Buffer.alloc(12, 1)))),
  ],
  ["an AVIF of empty boxes", avifOf(...Array.from({ length: 8_000 }, () => box("free")))],
  ["an AVIF of zeros", filledWith(avif(1, 1).subarray(0, 24), "\0")],
  ["a JPEG of tiny Exif segments", filledWith(startOfImage, segment(0xe1, "Exif\0\0"))],
  ["a JPEG of tiny segments", filledWith(startOfImage, segment(0xe0, ""))],
  ["a JPEG of zeros", filledWith(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "\0")],
  ["a JPEG of fill bytes", filledWith(startOfImage, Buffer.from([0xff]))],
  ["a drawing of question marks", filledWith("<?", "?")],
  ["a drawing of dashes", filledWith("<!--", "-")],
  ["a drawing of empty comments", filledWith("", "<!---->")],
  ["a drawing of brackets", filledWith("<!DOCTYPE [", "]")],
  ["a drawing of equal signs", filledWith("<svg ", "a=")],
  [
    "a drawing of attributes",
    Buffer.from(`<svg ${Array.from({ length: 40_000 }, (_, i) => `a${i}=""`).join(" ")}>`),
  ],
  ["spaces", filledWith("", " ")],
];

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

  test("the size of a rotated photo is its displayed size", () => {
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

  test("the size of an AVIF is that of its clean aperture, of its first size, and found in boxes of any size", () => {
    const extent = (width: number) => box("ispe", uint32(0), uint32(width), uint32(480));
    const aperture = box("clap", ...[600, 1, 450, 1, 0, 1, 0, 1].map(uint32));
    const sizeOf = (...boxes: Buffer[]) => readImageHeader(avifOf(...boxes));
    expect(sizeOf(extent(640), aperture)).toEqual({ type: "avif", width: 600, height: 450 });
    expect(sizeOf(extent(640), extent(10))).toEqual({ type: "avif", width: 640, height: 480 });
    const large = Buffer.concat([uint32(1), Buffer.from("free"), uint32(0), uint32(24), Buffer.alloc(8)]);
    expect(sizeOf(large, extent(640))).toEqual({ type: "avif", width: 640, height: 480 });
    for (const wrong of [2, 25]) {
      const cut = Buffer.concat([uint32(1), Buffer.from("free"), uint32(0), uint32(wrong)]);
      expect(sizeOf(cut, extent(640))).toBeUndefined();
    }
  });

  test("the size of a photo is found behind its metadata, in either order of bytes", () => {
    const photo = jpeg(640, 480, 6);
    const metadata = Buffer.concat([
      Buffer.from([0xff, 0xe1, 1, 0]),
      Buffer.from("http://ns."),
      Buffer.alloc(244),
    ]);
    const fill = Buffer.from([0xff, 0xff]);
    const whole = Buffer.concat([photo.subarray(0, 2), metadata, fill, photo.subarray(2)]);
    expect(readImageHeader(whole)).toEqual({ type: "jpg", width: 480, height: 640 });
    const little = Buffer.from("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0", "latin1");
    const exif = Buffer.concat([
      Buffer.from([0xff, 0xe1, 0, 8 + little.length]),
      Buffer.from("Exif\0\0"),
      little,
    ]);
    const plain = jpeg(640, 480);
    expect(readImageHeader(Buffer.concat([plain.subarray(0, 2), exif, plain.subarray(2)]))).toEqual({
      ...{ type: "jpg", width: 480, height: 640 },
    });
  });

  test.each(hostileHeaders)("a hostile header is read in a few milliseconds: %s", (_, bytes) => {
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      readImageHeader(bytes);
      return performance.now() - began;
    });
    expect(Math.min(...times)).toBeLessThan(25);
  });
});
