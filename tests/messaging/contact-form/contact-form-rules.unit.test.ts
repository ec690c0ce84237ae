import { expect, test } from "vitest";
import { contactFormRules } from "#schema/contact-form.ts";
import { listFieldErrors } from "#tests/support/field-errors.ts";

const createWords = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

test("has a message for each field, and accepts values at their limits", () => {
  const valid = {
    name: "Ada Byron",
    email: "ada@example.com",
    phone: "0400 000 000",
    message: "Do you sell to schools?\n\nWe are twelve people.",
  };
  const cases = [
    ["name", "Zé", null],
    ["name", "O'Brien-Łukasz 伟 😀", null],
    ["name", "B".repeat(30), null],
    ["name", "", "Name is required."],
    ["name", undefined, "Name is required."],
    ["name", "A", "Name must have at least 2 characters."],
    ["name", "A".repeat(31), "Name is too long."],
    ["name", "Ada\r\nBcc: all@example.com", "Contains characters that are not allowed."],
    ["email", "  ", "Email address is required."],
    ["email", "ada@", "Invalid email address"],
    ["email", "ada@example.com\r\nBcc: all@example.com", "Contains characters that are not allowed."],
    ["email", "ada@example.com,all@example.com", "Invalid email address"],
    ["phone", "0400000000", null],
    ["phone", null, "Phone number is required."],
    ["phone", "040000000", "Invalid phone number."],
    ["message", createWords(500), null],
    ["message", "\n \n", "Message is required."],
    ["message", createWords(501), "Message should not exceed 500 Words."],
    ["message", "x".repeat(20_001), "Message should not exceed 500 Words."],
    ["message", "a\u0000b", "Contains characters that are not allowed."],
    ["message", ["a"], "Must be text."],
  ] as const;
  expect(listFieldErrors(contactFormRules, valid, cases)).toEqual(cases);
});
