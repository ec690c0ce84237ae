import { string } from "yup";

/**
 * The product's general password rule: required, at least 8 characters, includes a number (spec §5).
 * 128 characters at most, so that a hostile length never reaches the hasher.
 * Not trimmed: a space is a character of the password.
 */
export function newPassword() {
  return string()
    .typeError("Must be text.")
    .required("Password is required.")
    .min(8, "Password must have at least 8 characters.")
    .max(128, "Password must have at most 128 characters.")
    .matches(/\d/, { message: "Must have a number.", excludeEmptyString: true });
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
