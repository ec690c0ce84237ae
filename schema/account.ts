import { boolean, type InferType, object, string } from "yup";
import { isTimeZone } from "./dates.ts";
import { addressRules } from "./address.ts";
import { newPassword, repeatedPassword } from "./password.ts";
import {
  emailAddress,
  emailLine,
  line,
  mapText,
  numberLine,
  optionalCheckbox,
  paragraphs,
  personName,
} from "./text.ts";

const checkbox = () => optionalCheckbox().default(false);
const acceptedTheTerms = boolean().default(false).oneOf([true], "Please accept the terms and conditions.");

/** Returns the rule for a password that may be any that was ever accepted. */
const typedPassword = () => string().typeError("Must be text.").max(1000, "Password is too long.");
const password = () => typedPassword().required("Password is required.");

/** What spreadsheets, links and signatures put before a number. */
const phonePrefix = /^['’]?(?:(?:telephone|tel|phone|ph|mobile|mob|cell|[tpm])(?:[.:]{1,2} ?| ))?/i;
const phoneShape = /^\(?\+?[\d ()./·-]+(?:[,;]? ?\(?(?:extension|extn?|x|#)[ .:=]{0,2}\d{1,6}\)?)?$/i;

/** Returns the rule for a phone number: at least 6 digits, with the signs that people write and an optional extension. */
export const phone = (max = 30) =>
  numberLine(max)
    .transform(mapText((value) => value.replace(phonePrefix, "")))
    .test(
      "phone",
      "Invalid phone number.",
      (value) => !value || (phoneShape.test(value) && value.replace(/\D/g, "").length >= 6),
    );

/** Returns the rule for the IANA name of a time zone, which browsers and programs send and nobody types. */
const timeZone = () => line(64).test("time-zone", "Unknown time zone.", (value) => !value || isTimeZone(value));

/** Rules for the time zone of a user's browser. */
export const timeZoneRules = object({ timeZone: timeZone().required("Time zone is required.") });

/** Rules shared by registration and profile. */
export const profileFieldRules = {
  firstName: personName("First name"),
  lastName: personName("Last name"),
  companyName: line(100),
  position: line(100).required("Position is required."),
  email: emailAddress("Email is required."),
  mobile: phone().required("Mobile is required."),
  ...addressRules,
};

/** Rules for a registration as sent to the API. Only the form has `acceptedTheTerms`. */
export const registerRules = object({
  ...profileFieldRules,
  // The specification repeats the wording of the first name here, and only here.
  lastName: personName("First name", "Last name is required."),
  password: newPassword(),
  confirmPassword: repeatedPassword(),
  isTester: checkbox(),
  isServiceProvider: checkbox(),
  /**
   * True if the visitor registered to start a trial (docs/domain.md#unconfirmed). It has no default because most
   * callers leave it out.
   */
  trialIntent: optionalCheckbox(),
  timeZone: timeZone(),
});
export type RegisterValues = InferType<typeof registerRules>;

/** Rules for the registration form: the API's rules, and the terms must be accepted. */
export const registerFormRules = registerRules.shape({ acceptedTheTerms });

/** Rules for the profile form: like registration, without the password and terms. Missing checkboxes stay unchanged. */
export const profileRules = object({
  ...profileFieldRules,
  isTester: optionalCheckbox(),
  isServiceProvider: optionalCheckbox(),
});
export type ProfileValues = InferType<typeof profileRules>;

/** Rules for the sign-in form. */
export const signInRules = object({
  email: emailLine("Username is too long.").required("Username is required."),
  password: password(),
});
export type SignInValues = InferType<typeof signInRules>;

/** Rules for the dialog on the confirmation page that changes the email address. */
export const changeEmailRules = object({ email: emailAddress("Email is required.", "Invalid email.") });

/** Rules for deleting an account, which requires the password again. */
export const deleteAccountRules = object({ password: password() });

export const forgotPasswordRules = object({ email: emailAddress("Email is required.", "Invalid Email Address") });

const resetToken = () => line(200).required("Reset token is required.");

/** Rules for the query that checks a reset link. */
export const resetTokenRules = object({ resetToken: resetToken() });

/** Rules for the form that a reset link opens. */
export const newPasswordRules = object({ password: newPassword(), confirmPassword: repeatedPassword() });
export type NewPasswordValues = InferType<typeof newPasswordRules>;

/** Rules for a new password with the secret from the reset link, as sent to the API. */
export const resetPasswordRules = newPasswordRules.shape({ resetToken: resetToken() });
export type ResetPasswordValues = InferType<typeof resetPasswordRules>;

/** Rules for changing a password while signed in. */
export const changePasswordRules = newPasswordRules.shape({
  existingPassword: typedPassword().required("Existing password is required."),
});
export type ChangePasswordValues = InferType<typeof changePasswordRules>;

/** Rules for the secret from an emailed confirmation link, with the password if it has to be typed again. */
export const confirmEmailRules = object({
  confirmationToken: line(200).required("Confirmation token is required."),
  password: newPassword().notRequired(),
  confirmPassword: string().when("password", {
    is: (password: unknown) => password !== undefined && password !== null,
    then: () => repeatedPassword(),
    otherwise: (rule) => rule.nullable(),
  }),
});

/** Rules for the secret from an emailed link that undoes a change of the email address. */
export const undoEmailChangeRules = object({ token: line(200).required("Token is required.") });

/** Rules for the acknowledgement that a trial requires. */
export const startTrialRules = object({ acceptedTheTerms });

/** Returns the rule for a code from an app or a recovery code, which any keyboard may have typed. */
const code = () => numberLine(40, "The code is too long.");
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

/** Rules for a proof of identity: the password and, if two-step sign-in is on, a code or a passkey. */
export const identityProofRules = object({ password: password(), code: code(), passkey: passkey() });
export type IdentityProofValues = InferType<typeof identityProofRules>;

/** Rules for `proveIdentity`: a password, a code or a passkey. The account decides which of them is enough. */
export const proveIdentityRules = object({ password: typedPassword(), code: code(), passkey: passkey() });
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
