import { expect, test } from "vitest";
import { faultOfPath, keyOfPath } from "#api/releases/software/upload/safe-path.ts";

test("rejects a path with a key that is too long, even if the path itself is short enough", () => {
  // The lower case of İ has two characters.
  const path = `${"İ".repeat(90)}/${"İ".repeat(90)}`;
  expect([path.length, keyOfPath(path).length]).toEqual([181, 361]);
  expect(faultOfPath(path)).toBe("has a path that is too long");
  expect(faultOfPath(path.replaceAll("İ", "I"))).toBeNull();
});
