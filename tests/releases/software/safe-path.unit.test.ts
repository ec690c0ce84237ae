import { expect, test } from "vitest";
import { faultOfPath, keyOfPath } from "#api/releases/software/upload/safe-path.ts";

test("a path is refused when what is compared of it has no room, though the path itself is short enough", () => {
  // Small letters of İ are two characters.
  const path = `${"İ".repeat(90)}/${"İ".repeat(90)}`;
  expect([path.length, keyOfPath(path).length]).toEqual([181, 361]);
  expect(faultOfPath(path)).toBe("has too long a path");
  expect(faultOfPath(path.replaceAll("İ", "I"))).toBeNull();
});
