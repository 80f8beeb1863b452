import fc from "fast-check";

const from = (min: number, max: number) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code));

/** Any character, for `fc.string`, whose own `unit: "binary"` takes more than a second to make. */
export const characters = fc.oneof(from(0, 0x7f), from(0x80, 0xd7ff), from(0xe000, 0x10_ffff));
