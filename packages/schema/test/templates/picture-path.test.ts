import { expect, test } from "vitest";
import { isPicturePath, misuseOfPicturePath } from "../../src/templates/picture-path.ts";

test.each([
  ["images/a.jpg", 'must begin with "./", such as "./images/a.jpg", or with "https://"'],
  ["../a.jpg", 'may not have ".."'],
  ["./images/../a.jpg", 'may not have ".."'],
  ["./..", 'may not have ".."'],
  ["/etc/a.jpg", "may not be absolute"],
  ["//cdn.example.com/a.jpg", "may not be absolute"],
  ["~/a.jpg", 'may not have a name that begins with "~"'],
  ["./~root/a.jpg", 'may not have a name that begins with "~"'],
  ["C:/a.jpg", "may not name a drive"],
  ["./c:a.jpg", "may not name a drive"],
  [".\\a.jpg", "may not have a backslash"],
  ["./images\\..\\..\\a.jpg", "may not have a backslash"],
  ["./%2e%2e/a.jpg", "may not be percent-encoded"],
  ["./%2E%2E%2Fa.jpg", "may not be percent-encoded"],
  ["./a\n.jpg", "has a character that no name may have"],
  ["./a\0.jpg", "has a character that no name may have"],
  ["./a\u0085.jpg", "has a character that no name may have"],
  ["./a\u2028.jpg", "has a character that no name may have"],
  ["./\ud800.jpg", "has a character that no name may have"],
  [".//a.jpg", 'may not have "//" or "/./"'],
  ["././a.jpg", 'may not have "//" or "/./"'],
  ["./", "end with a slash"],
  ["./images/", "end with a slash"],
  [`./${"a".repeat(499)}`, "has 501 characters; 500 are allowed"],
])("%j is refused as the path of a picture: it %s", (path, reason) => {
  expect(isPicturePath(path)).toBe(true);
  expect(misuseOfPicturePath(path)).toContain(reason);
  expect(misuseOfPicturePath(path)).toMatch(/^the picture "/);
});

test.each(["./a.jpg", "./images/a b/ä 100%.jpg", "./.hidden/a.jpg", "./a..b/c.jpg", "./ab:c.jpg"])(
  "%j is the path of a picture",
  (path) => {
    expect([isPicturePath(path), misuseOfPicturePath(path)]).toEqual([true, undefined]);
  },
);

test.each(["https://example.com/a.jpg", "HTTP://example.com/..", "ftp://x", "data:image/png;base64,", ""])(
  "%j is an address, which is not checked here",
  (text) => {
    expect(isPicturePath(text)).toBe(false);
  },
);
