import { quoted, shortened } from "../problems/phrases.ts";

/** Maximum number of pictures that a file may name. */
export const mostPictures = 10_000;

/** Maximum length of a picture's path, in UTF-16 units. */
export const picturePathLength = 500;

/**
 * True if what `upload` takes is meant as a path, not as a URL. A scheme has at least two letters: one is a drive.
 */
export const isPicturePath = (text: string): boolean => text !== "" && !/^[a-z][a-z0-9+.-]+:/i.test(text);

/** Segments that no path may have, and why. */
const refusedSegments: readonly [pattern: RegExp, reason: string][] = [
  [/^\.\.$/, 'may not have "..": pictures are in the folder of the file, or in folders within it'],
  [/^\.?$/, 'may not have "//" or "/./", or end with a slash'],
  [/^~/, 'may not have a name that begins with "~", which some programs take for a home folder'],
  [/^[a-z]:/i, "may not name a drive: pictures are in the folder of the file, or in folders within it"],
];

/**
 * Says why a text is not the path of a picture, after the path: `must begin with "./" …`; undefined if it is one. Each
 * picture has one such path, and none leads out of its folder on any system.
 */
function objectionTo(path: string): string | undefined {
  if (path.length > picturePathLength)
    return `has ${path.length} characters; ${picturePathLength} are allowed`;
  if (/[\p{Cc}\u2028\u2029]/u.test(path) || !path.isWellFormed())
    return "has a character that no name may have";
  if (path.includes("\\")) return "may not have a backslash: folders are separated by slashes";
  if (/%[0-9a-f]{2}/i.test(path)) return "may not be percent-encoded: it is a path, not a part of a URL";
  if (path.startsWith("/")) return "may not be absolute: it is relative to the folder of the file";
  const segments = path.replace(/^\.\//, "").split("/");
  for (const [pattern, reason] of refusedSegments)
    if (segments.some((segment) => pattern.test(segment))) return reason;
  if (path.startsWith("./")) return undefined;
  return `must begin with "./", such as ${quoted(shortened(`./${path}`))}, or with "https://"`;
}

/** Says why a text is not the path of a picture, as a sentence without its full stop; undefined if it is one. */
export function misuseOfPicturePath(path: string): string | undefined {
  const objection = objectionTo(path);
  return objection === undefined ? undefined : `the picture ${quoted(shortened(path))} ${objection}`;
}

/** Says of a path without a picture how to give it. */
export const pictureNotGiven = (path: string): string =>
  `no picture was given for the path ${quoted(shortened(path))}: run the file with the \`lading\` command, which sends ` +
  "the pictures, or name the key of the upload in `pictures` of the task";
