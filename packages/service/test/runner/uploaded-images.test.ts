import { expect, test } from "vitest";
import { Rejection } from "../../src/errors.ts";
import { blameImages } from "../../src/runner/uploaded-images.ts";

test.each(['There is no shape "a"', "There is none."])(
  "the failure of an operation ends as one sentence before that of its image: %s",
  (message) => {
    const failures = [{ code: "IMAGE_FETCH", message: "The image could not be fetched", path: [] }];
    const blamed = blameImages(new Rejection("ShapeNotFoundError", message), failures);
    expect(blamed).toMatchObject({
      message: expect.stringMatching(/[^.]\. Also: The image could not be fetched$/),
    });
  },
);
