import { boolean, type InferType, object, string } from "yup";
import { addressRules } from "./address.ts";
import { newPassword, repeatedPassword } from "./password.ts";
import { emailAddress, line, personName } from "./text.ts";

/** Returns the rule for an optional boolean. */
export const optionalCheckbox = () => boolean().strict().typeError("Must be true or false.");
const checkbox = () => optionalCheckbox().default(false);

/** Returns the rule for a phone number: digits with an optional plus, spaces, dots, dashes and brackets. */
export const phone = () =>
  line(30).matches(/^\+?[\d\s().-]{6,}$/, { message: "Invalid phone number.", excludeEmptyString: true });

/** Rules shared by registration and profile. */
export const profileFieldRules = {
  firstName: personName("First name is required."),
  lastName: personName("Last name is required."),
  companyName: line(100),
  position: line(100).required("Position is required."),
  email: emailAddress("Email is required."),
  mobile: phone().required("Mobile is required."),
  ...addressRules,
};

/** Registration as sent to the API. `acceptedTheTerms` is only in the form. */
export const registerRules = object({
  ...profileFieldRules,
  password: newPassword(),
  confirmPassword: repeatedPassword(),
  isTester: checkbox(),
  isServiceProvider: checkbox(),
  /**
   * True if the visitor came from the trial (docs/domain.md#unconfirmed). It has no default because most callers leave
   * it out.
   */
  trialIntent: optionalCheckbox(),
});
export type RegisterValues = InferType<typeof registerRules>;

/** Registration form: the API's rules plus the accepted terms. */
export const registerFormRules = registerRules.shape({
  acceptedTheTerms: boolean().default(false).oneOf([true], "Please accept the terms and conditions."),
});

/** Profile form: as registration, without password and terms. Missing checkboxes stay unchanged. */
export const profileRules = object({
  ...profileFieldRules,
  isTester: optionalCheckbox(),
  isServiceProvider: optionalCheckbox(),
});
export type ProfileValues = InferType<typeof profileRules>;

/** Sign-in form. */
export const signInRules = object({
  email: line(254, "Username is too long.").required("Username is required."),
  password: string().typeError("Must be text.").max(1000, "Password is too long.").required("Password is required."),
});
export type SignInValues = InferType<typeof signInRules>;

/** Change-email dialog on the confirmation page. */
export const changeEmailRules = object({ email: emailAddress("Email is required.", "Invalid email.") });

/** Deleting an account, which requires the password again. */
export const deleteAccountRules = object({
  password: string().typeError("Must be text.").max(1000, "Password is too long.").required("Password is required."),
});

export const forgotPasswordRules = object({ email: emailAddress("Email is required.", "Invalid Email Address") });

const resetToken = () => line(200).required("Reset token is required.");

/** Query that checks a reset link. */
export const resetTokenRules = object({ resetToken: resetToken() });

/** Form opened by a reset link. */
export const newPasswordRules = object({ password: newPassword(), confirmPassword: repeatedPassword() });
export type NewPasswordValues = InferType<typeof newPasswordRules>;

/** New password with the secret from the reset link, as sent to the API. */
export const resetPasswordRules = newPasswordRules.shape({ resetToken: resetToken() });
export type ResetPasswordValues = InferType<typeof resetPasswordRules>;

/** Changing a password while signed in. */
export const changePasswordRules = newPasswordRules.shape({
  existingPassword: string()
    .typeError("Must be text.")
    .max(1000, "Password is too long.")
    .required("Existing password is required."),
});
export type ChangePasswordValues = InferType<typeof changePasswordRules>;

/** Secret from an emailed confirmation link. */
export const confirmEmailRules = object({ confirmationToken: line(200).required("Confirmation token is required.") });

/** Acknowledgement before a trial. */
export const startTrialRules = object({
  acceptedTheTerms: boolean().default(false).oneOf([true], "Please accept the terms and conditions."),
});
