import { isCommonPassword, isPersonalPassword, type PasswordOwner } from "./common-passwords.ts";
import { secret } from "#schema/text.ts";

/** Message for a password that is on a list of stolen passwords. */
export const COMMON_PASSWORD_MESSAGE =
  "This password is one of the first that attackers try. Please choose one that is harder to guess.";

/** Message for a password based on its owner's name, company or address, or on the product's name. */
export const PERSONAL_PASSWORD_MESSAGE =
  "Your name, your company, your email address and our name are easy to guess and do not count. Please add at least 8 other characters.";

/**
 * Returns the rule for new passwords (docs/domain.md#passwords): required, at least 8 characters, a number, and not on
 * the lists of stolen passwords. If the object also has `email`, `firstName` and `lastName`, the password must not be
 * based on them. The limit of 128 characters keeps very long input from being hashed. Passwords aren't trimmed, because
 * spaces count.
 */
export function newPassword() {
  return secret()
    .required("Password is required.")
    .min(8, "Password must have at least 8 characters.")
    .max(128, "Password must have at most 128 characters.")
    .matches(/\d/, { message: "Must have a number.", excludeEmptyString: true })
    .test("hard-to-guess", function hardToGuess(value) {
      // The rules above report a password that is too short, too long or without a number.
      if (!value || value.length < 8 || value.length > 128 || !/\d/.test(value)) return true;
      if (isCommonPassword(value)) return this.createError({ message: COMMON_PASSWORD_MESSAGE });
      const personal = isPersonalPassword(value, readOwner(this.parent));
      return personal ? this.createError({ message: PERSONAL_PASSWORD_MESSAGE }) : true;
    });
}

// Reads the other fields of the form, which may have any type.
function readOwner(values: unknown): PasswordOwner {
  const text = (name: string): string => {
    const value = (values as Record<string, unknown> | undefined)?.[name];
    return typeof value === "string" ? value.slice(0, 254) : "";
  };
  return {
    email: text("email"),
    firstName: text("firstName"),
    lastName: text("lastName"),
    companyName: text("companyName"),
  };
}

/** Returns the rule for a field that must have the same value as `password`. */
export function repeatedPassword() {
  return secret()
    .required("Passwords must match")
    .test("repeats-password", "Passwords must match", function repeats(value) {
      return (value ?? "") === ((this.parent as { password?: string }).password ?? "");
    });
}
