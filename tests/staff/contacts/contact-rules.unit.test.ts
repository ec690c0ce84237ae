import { expect, test } from "vitest";
import { changedContactRules, contactTypes, newContactRules } from "#schema/contact.ts";
import { check } from "#api/platform/validate.ts";
import { getFieldErrors, listFieldErrors } from "#tests/support/field-errors.ts";

const contact = {
  userId: "1",
  firstName: "Wendy",
  lastName: "O'Hara",
  email: "w@example.com",
  phone: "1",
  contactType: 2,
};

test("has a message for each field, also for texts and types that clients send wrongly", () => {
  // Names and email addresses have the rules of a registration, which `account-rules.unit.test.ts` tests.
  const cases = [
    ["firstName", "A", "First name must have at least 2 characters."],
    ["firstName", ["Ada"], "Must be text."],
    ["lastName", null, "Last name is required."],
    ["email", "", "Email is required."],
    ["email", "nobody", "Invalid email address"],
    ["phone", "1".repeat(50), null],
    ["phone", "   ", "Phone is required."],
    ["phone", "1".repeat(51), "Phone is too long."],
    ["phone", 730000000, "Must be text."],
    ["contactType", "", "Contact type is required."],
    ["contactType", undefined, "Contact type is required."],
    ...[0, 7, 1.5, "Accounts", [2], true].map(
      (type) => ["contactType", type, "Contact type is not one of the list."] as const,
    ),
    ["userId", undefined, "User is required."],
  ] as const;
  expect(listFieldErrors(newContactRules, contact, cases)).toEqual(cases);
  expect(getFieldErrors(changedContactRules, contact)).toEqual({ id: ["Contact is required."] });
  expect(getFieldErrors(changedContactRules, { ...contact, id: "1", revision: "soon" })).toEqual({
    revision: ["Must be a number."],
  });
});

test("trims texts, and accepts each type as a number or text", () => {
  expect(check(newContactRules, { ...contact, firstName: "  Wendy " })).toEqual(contact);
  for (const { value } of contactTypes)
    for (const contactType of [value, String(value)])
      expect(check(newContactRules, { ...contact, contactType }).contactType).toBe(value);
});
