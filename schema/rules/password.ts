import { string } from "yup";
import { isCommonPassword, isPersonalPassword, type PasswordOwner } from "./common-passwords.ts";

/** Message for a password on the lists of stolen ones. */
const commonPassword =
  "This password is one of the first that attackers try. Please choose one that is harder to guess.";

/** Said of a password that is little more than its owner's name or address, or ours. */
export const personalPassword =
  "Your name, your email address and our name are easy to guess and do not count. Please add at least 8 other characters.";

/**
 * The product's general password rule (docs/domain.md#passwords): required, at least 8 characters, includes a number,
 * and not one of the commonplaces of breached lists; where the rule's object has `email`, `firstName` and `lastName`,
 * not those either. 128 characters at most, so that a hostile length never reaches the hasher. Not trimmed: a space is
 * a character of the password.
 */
export function newPassword() {
  return string()
    .typeError("Must be text.")
    .required("Password is required.")
    .min(8, "Password must have at least 8 characters.")
    .max(128, "Password must have at most 128 characters.")
    .matches(/\d/, { message: "Must have a number.", excludeEmptyString: true })
    .test("hard-to-guess", function hardToGuess(value) {
      // What is too short, too long or without a number is told so first.
      if (!value || value.length < 8 || value.length > 128 || !/\d/.test(value)) return true;
      if (isCommonPassword(value)) return this.createError({ message: commonPassword });
      const personal = isPersonalPassword(value, ownerIn(this.parent));
      return personal ? this.createError({ message: personalPassword }) : true;
    });
}

// The values beside the password, which may be anything that somebody sent.
function ownerIn(values: unknown): PasswordOwner {
  const text = (name: string): string => {
    const value = (values as Record<string, unknown> | undefined)?.[name];
    return typeof value === "string" ? value.slice(0, 254) : "";
  };
  return { email: text("email"), firstName: text("firstName"), lastName: text("lastName") };
}

/** Must repeat the field named `password`. */
export function repeatedPassword() {
  return string()
    .typeError("Must be text.")
    .required("Passwords must match")
    .test("repeats-password", "Passwords must match", function repeats(value) {
      return (value ?? "") === ((this.parent as { password?: string }).password ?? "");
    });
}
