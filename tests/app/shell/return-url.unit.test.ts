import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toSafeReturnUrl } from "#web/platform/return-url.ts";

const origin = "https://portal.example";

describe("toSafeReturnUrl", () => {
  test.each(["/my-account/", "/manage-activated-devices/1/2?tab=a#b", "/"])("accepts %s", (path) => {
    expect(toSafeReturnUrl(path, origin)).toBe(path);
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "https:/evil.example",
    "javascript:alert(1)",
    "evil.example",
    "",
    "/..//evil.example",
    "/./\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "/a\\..\\..\\evil",
    null,
    undefined,
    {},
  ])("rejects %j", (value) => {
    expect(toSafeReturnUrl(value, origin)).toBeNull();
  });

  test("accepts only URLs of this site", () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom("/", "\\", "..", ".", ":", "@", "//", "evil.example", "%2f", "\t"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const target = toSafeReturnUrl(`/${parts.join("")}`, origin);
        if (target !== null) {
          expect(new URL(target, origin).origin).toBe(origin);
          expect(target.startsWith("//")).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
