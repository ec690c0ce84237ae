import { boolean, type InferType, object, string } from "yup";
import { addressRules } from "./address.ts";
import { newPassword, repeatedPassword } from "./password.ts";
import { emailAddress, line, personName } from "./text.ts";

/** Yes or no; left out stays out. */
export const optionalCheckbox = () => boolean().strict().typeError("Must be true or false.");
const checkbox = () => optionalCheckbox().default(false);

/** Telephone as people type it: digits with an optional plus, spaces, dots, dashes and brackets. */
export const phone = () =>
  line(30).matches(/^\+?[\d\s().-]{6,}$/, { message: "Invalid phone number.", excludeEmptyString: true });

/** What registration and profile share. */
export const personRules = {
  firstName: personName("First name is required."),
  lastName: personName("Last name is required."),
  companyName: line(100),
  position: line(100).required("Position is required."),
  email: emailAddress("Email is required."),
  mobile: phone().required("Mobile is required."),
  ...addressRules,
};

/** Registration as it travels: `acceptedTheTerms` belongs to the form alone. */
export const registerRules = object({
  ...personRules,
  password: newPassword(),
  confirmPassword: repeatedPassword(),
  isTester: checkbox(),
  isServiceProvider: checkbox(),
  /** The visitor came from the trial (docs/domain.md#unconfirmed). Left out by most callers, so without a default. */
  trialIntent: optionalCheckbox(),
});
/** Values of a registration that passed {@link registerRules}. */
export type RegisterValues = InferType<typeof registerRules>;

/** The registration form: the wire's rule plus the accepted terms. */
export const registerFormRules = registerRules.shape({
  acceptedTheTerms: boolean().default(false).oneOf([true], "Please accept the terms and conditions."),
});

/** Update profile: as registration, without password and terms. A checkbox that is not sent stays as it is. */
export const profileRules = object({
  ...personRules,
  isTester: optionalCheckbox(),
  isServiceProvider: optionalCheckbox(),
});
/** Values of a profile that passed {@link profileRules}. */
export type ProfileValues = InferType<typeof profileRules>;

/** Sign-in form. */
export const signInRules = object({
  email: line(254, "Username is too long.").required("Username is required."),
  password: string().typeError("Must be text.").max(1000, "Password is too long.").required("Password is required."),
});
export type SignInValues = InferType<typeof signInRules>;

/** The change-email dialog on the confirmation page. */
export const changeEmailRules = object({ email: emailAddress("Email is required.", "Invalid email.") });

/** Deleting one's account asks for the password again. */
export const deleteAccountRules = object({
  password: string().typeError("Must be text.").max(1000, "Password is too long.").required("Password is required."),
});

export const forgotPasswordRules = object({ email: emailAddress("Email is required.", "Invalid Email Address") });

const resetToken = () => line(200).required("Reset token is required.");

/** Whether a reset link still works. */
export const resetTokenRules = object({ resetToken: resetToken() });

/** The form behind a reset link. */
export const newPasswordRules = object({ password: newPassword(), confirmPassword: repeatedPassword() });
export type NewPasswordValues = InferType<typeof newPasswordRules>;

/** The same with the link's secret, as it travels. */
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

/** A secret from a mail's link. */
export const confirmEmailRules = object({ confirmationToken: line(200).required("Confirmation token is required.") });

/** The trial's acknowledgement. */
export const startTrialRules = object({
  acceptedTheTerms: boolean().default(false).oneOf([true], "Please accept the terms and conditions."),
});
