import type { ComponentConfig, ComponentContent } from "../components/component.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { oneOf, quoted } from "../problems/phrases.ts";
import { ceilings } from "./limits.ts";
import { add, type MediaTypeOf, type Report } from "./report.ts";
import { checkSize } from "./size.ts";

type Content = NonNullable<ComponentContent["files"]>;
type Config = Partial<NonNullable<ComponentConfig["files"]>>;
type Accepted = NonNullable<Config["acceptedContentTypes"]>;

const units = { Bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** Checks the number of files and their types, by file extension. Their sizes are left to a look-up. */
export function checkFiles(files: Content, config: Config, path: JsonPath, report: Report): void {
  const { min, max, acceptedContentTypes: accepted = [], maxFileSize } = config;
  const { mediaTypeOf } = report;
  const limits = { min, max: max === 0 ? null : max };
  checkSize(files.length, "files", limits, path, report, ceilings.files);
  if (accepted.length > 0 && mediaTypeOf)
    files.forEach(({ key }, i) => {
      checkType(key, { accepted, mediaTypeOf }, [...path, i, "key"], report);
    });
  if (maxFileSize === undefined) return;
  const { size, unit } = maxFileSize;
  const keys = files.map(({ key }) => key);
  report.uses.files.push({ keys, maxBytes: size * units[unit], maxText: `${size} ${unit}`, path });
}

interface Types {
  accepted: Accepted;
  mediaTypeOf: MediaTypeOf;
}

function checkType(key: string, { accepted, mediaTypeOf }: Types, path: JsonPath, report: Report): void {
  const extension = /\.([a-z0-9]+)$/i.exec(key)?.[1]?.toLowerCase() ?? "";
  const type = mediaTypeOf(extension);
  if (accepted.some((each) => accepts(each, extension, type))) return;
  const named = accepted.map(({ contentType }) => contentType);
  const what = type ? ` is of the type ${type}` : " has no known type";
  add(
    report,
    "FileTypeNotAccepted",
    `The file ${quoted(key)}${what}; the shape accepts ${oneOf(named)}`,
    path,
  );
}

/** True if a file has the content type, which may be a wildcard such as `image/*`, or the extension given with it. */
function accepts(
  { contentType, extensionLabel = "" }: Accepted[number],
  extension: string,
  type: string | undefined,
): boolean {
  if (contentType === "*/*") return true;
  if (extension !== "" && extensionLabel.toLowerCase().replace(/^\./, "") === extension) return true;
  if (type === undefined) return false;
  const wanted = contentType.toLowerCase();
  return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
