import { expect, test } from "vitest";
import { findPathError, toPathKey } from "#api/releases/software/upload/safe-path.ts";

test("rejects a path with a key that is too long, even if the path itself is short enough", () => {
  // The lower case of İ has two characters.
  const path = `${"İ".repeat(90)}/${"İ".repeat(90)}`;
  expect([path.length, toPathKey(path).length]).toEqual([181, 361]);
  expect(findPathError(path)).toBe("has a path that is too long");
  expect(findPathError(path.replaceAll("İ", "I"))).toBeNull();
});
