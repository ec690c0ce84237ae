import { expect, test } from "vitest";
import { maskEmail } from "#api/licensing/move-codes/send-move-code.ts";

test.each([
  ["ada@demo.test", "a•••@d•••.test"],
  ["a@b.co", "a•••@b•••.co"],
  ["grace.hopper@planning.cobol.com.au", "g•••@p•••.au"],
  ["𝒶da@demo.test", "𝒶•••@d•••.test"],
])("masks %s as %s", (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});
