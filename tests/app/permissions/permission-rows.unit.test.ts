import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatPermissions, permissions } from "#api/app/permissions.ts";

// The other tests derive what they expect from the permissions, so only this file notices one that lets in more callers.
// Update it on purpose: `npm run generate`.
test("each operation is open to the callers that were agreed on", () => {
  expect(formatPermissions(permissions)).toBe(readFileSync("schema/permissions.json", "utf8"));
});
