import { boolean, type InferType, object, string } from "yup";
import { line, paragraphs } from "#schema/text.ts";

const code = () => line(40, "The code is too long.");
/** Returns the rule for a browser's passkey response, as JSON. */
const passkey = () => string().typeError("Must be text.").max(20_000, "Is too long.");

/** Rules for the form of the second step. */
export const codeRules = object({ code: code().required("Code is required.") });
export type CodeValues = InferType<typeof codeRules>;

/** Rules for the second step as sent to the API: a code or a passkey response. */
export const completeSignInRules = object({
  challenge: line(200).required("Challenge is required."),
  code: code(),
  passkey: passkey(),
}).test("code-or-passkey", "Code is required.", function codeOrPasskey(values) {
  return values.code || values.passkey ? true : this.createError({ path: "code", message: "Code is required." });
});
export type CompleteSignInValues = InferType<typeof completeSignInRules>;

/** Rules for a sign-in with a passkey alone. */
export const passkeySignInRules = object({ passkey: passkey().required("Passkey is required.") });

const password = () =>
  string().typeError("Must be text.").max(1000, "Password is too long.").required("Password is required.");

/** Rules for a proof of identity: the password and, if two-step sign-in is on, a code or a passkey. */
export const identityProofRules = object({ password: password(), code: code(), passkey: passkey() });
export type IdentityProofValues = InferType<typeof identityProofRules>;

/** Rules for `proveIdentity`: a password, a code or a passkey. The account decides which of them is enough. */
export const proveIdentityRules = object({
  password: string().typeError("Must be text.").max(1000, "Password is too long."),
  code: code(),
  passkey: passkey(),
});
export type ProveIdentityValues = InferType<typeof proveIdentityRules>;

/** Rules for the forms that collect a proof of identity, with two-step sign-in off and on. */
export const passwordProofRules = object({ password: password() });
export const codeProofRules = object({ password: password(), code: code().required("Code is required.") });

const passkeyName = () => line(60).required("Name is required.");

/** Rules for the form that names a passkey. */
export const passkeyNameRules = object({ name: passkeyName() });

/** Rules for a passkey that a browser created. */
export const addPasskeyRules = object({ name: passkeyName(), passkey: passkey().required("Passkey is required.") });

/**
 * Rules for an admin's reset of a user's two-step sign-in: the reason, and a confirmation that the admin verified the
 * user's identity (decision 0035).
 */
export const clearTwoStepRules = object({
  reason: paragraphs(500, "Reason is too long.").required("Reason is required.").min(10, "Reason is too short."),
  isIdentityChecked: boolean()
    .typeError("Must be true or false.")
    .required("Please verify the user's identity first.")
    .oneOf([true], "Please verify the user's identity first."),
});
