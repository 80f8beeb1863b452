import { expect, test } from "vitest";
import { Rejection } from "../../src/errors.ts";
import { blameImages, withoutImages } from "../../src/runner/images/uploaded-images.ts";

test.each(['There is no shape "a"', "There is none."])(
  "a failure becomes one sentence before its image's: %s",
  (message) => {
    const failures = [{ code: "IMAGE_FETCH", message: "The image could not be fetched", path: [] }];
    const blamed = blameImages(new Rejection("ShapeNotFoundError", message), failures);
    expect(blamed).toMatchObject({
      message: expect.stringMatching(/[^.]\. Also: The image could not be fetched$/),
    });
  },
);

test("an operation names 100 images that could not be fetched, and counts those beyond", () => {
  const failures = Array.from({ length: 103 }, (_, i) => ({
    ...{ code: "IMAGE_FETCH", message: "The image could not be fetched", path: ["images", i, "key"] },
  }));
  const more = { code: "More", message: "3 more images could not be fetched", path: [] };
  const errors = [...failures.slice(0, 100), more];
  expect(withoutImages({ action: "updated", output: {} }, failures).partial?.errors).toEqual(errors);
  expect(blameImages(new Rejection("ValidationError", "Wrong"), failures)).toMatchObject({
    errors: [...errors, ...new Rejection("ValidationError", "Wrong").errors],
  });
  expect(withoutImages({ action: "updated", output: {} }, failures.slice(0, 100)).partial?.errors).toEqual(
    failures.slice(0, 100),
  );
});
