import { boolean, type InferType, object, string } from "yup";
import { line, paragraphs } from "./text.ts";

const code = () => line(40, "That is too long for a code.");
/** A browser's answer for a passkey, as JSON. */
const passkey = () => string().typeError("Must be text.").max(20_000, "Is too long.");

/** The second step of a sign-in, as the form asks it. */
export const codeRules = object({ code: code().required("Code is required.") });
export type CodeValues = InferType<typeof codeRules>;

/** The second step of a sign-in, as it travels: a code, or a passkey's answer. */
export const completeSignInRules = object({
  challenge: line(200).required("Challenge is required."),
  code: code(),
  passkey: passkey(),
}).test("code-or-passkey", "Code is required.", function codeOrPasskey(values) {
  return values.code || values.passkey ? true : this.createError({ path: "code", message: "Code is required." });
});
export type CompleteSignInValues = InferType<typeof completeSignInRules>;

const password = () =>
  string().typeError("Must be text.").max(1000, "Password is too long.").required("Password is required.");

/** Proving that one is the owner: the password and, with two-step sign-in on, a code or a passkey. */
export const identityProofRules = object({ password: password(), code: code(), passkey: passkey() });
export type IdentityProofValues = InferType<typeof identityProofRules>;

/** The same as the form asks it, while two-step sign-in is off, and while it is on. */
export const passwordProofRules = object({ password: password() });
export const codeProofRules = object({ password: password(), code: code().required("Code is required.") });

const passkeyName = () => line(60).required("Name is required.");

/** Name of a passkey, as the form asks it. */
export const passkeyNameRules = object({ name: passkeyName() });

/** A passkey that a browser made. */
export const addPasskeyRules = object({ name: passkeyName(), passkey: passkey().required("Passkey is required.") });

/** An admin turning it off for somebody who lost everything: why, and that they made sure who asks (decision 0035). */
export const clearTwoStepRules = object({
  reason: paragraphs(500, "Reason is too long.").required("Reason is required.").min(10, "Reason is too short."),
  isIdentityChecked: boolean()
    .typeError("Must be true or false.")
    .required("Please make sure who asks first.")
    .oneOf([true], "Please make sure who asks first."),
});
