import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseEmail } from "#api/licensing/trials/normalise-email.ts";

test.each([
  ["Ada@Example.com", "ada@example.com"],
  [" ada+trial2@example.com ", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["a.d.a@gmail.com", "ada@gmail.com"],
  ["A.D.A+x@GoogleMail.com", "ada@gmail.com"],
  ["a.d.a@outlook.com", "ada@outlook.com"],
  ["a.d.a@yahoo.com", "ada@yahoo.com"],
  ["ada@me.com", "ada@icloud.com"],
  ["a.da@mac.com", "ada@icloud.com"],
  ["ada@pm.me", "ada@proton.me"],
  ["a.da@protonmail.com", "ada@proton.me"],
  ["ada@x@gmail.com", "ada@x@gmail.com"],
  // In company addresses, dots distinguish mailboxes.
  ["ada.byron@example.com", "ada.byron@example.com"],
  ["ada@notgmail.com", "ada@notgmail.com"],
  // Some browsers send an international domain in ASCII, and both reach one mailbox.
  ["ada@Bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
  ["+x@gmail.com", "+x@gmail.com"],
  ["...@gmail.com", "...@gmail.com"],
])("normaliseEmail normalises %j to %j", (email, normal) => {
  expect(normaliseEmail(email)).toBe(normal);
});

test("normaliseEmail is idempotent", () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      expect(normaliseEmail(normaliseEmail(email))).toBe(normaliseEmail(email));
    }),
  );
});
