import { array, type InferType, number, type NumberSchema, object } from "yup";
import { comparedMachineName } from "#schema/machine-name.ts";
import { MemberType, memberTypes } from "#schema/catalogue.ts";
import { defaultDeactivationLimit } from "#schema/limits.ts";
import { optionalCheckbox, phone } from "./account.ts";
import { addressRules } from "./address.ts";
import { abn } from "./invoice.ts";
import { newPassword, repeatedPassword } from "./password.ts";
import { revision } from "./revision.ts";
import { emailAddress, line, personName } from "./text.ts";

/** Most machines that can be blocked for one user. */
export const MOST_BLOCKED = 500;

// A box that was emptied holds "", which is no number.
const emptied = (value: unknown, original: unknown) => (original === "" ? undefined : value);

const memberType = (): NumberSchema<MemberType> =>
  number()
    .transform(emptied)
    .typeError("Member type is required.")
    .required("Member type is required.")
    .oneOf(
      memberTypes.map(({ value }) => value),
      "Member type is required.",
    ) as NumberSchema<MemberType>;

/** Allows 0 to 1000 inclusive; the fixed messages read as if 0 and 1000 were excluded. */
const deactivationLimit = () =>
  number()
    .transform(emptied)
    .typeError("Must be a number.")
    .integer("Must be a whole number.")
    .min(0, "Must be greater than 0.")
    .max(1000, "Must be less than 1000.");

/** What both forms of staff hold: unlike the person's own forms, a position may be missing. */
const userRules = {
  firstName: personName("First name is required."),
  lastName: personName("Last name is required."),
  memberType: memberType(),
  companyName: line(100),
  position: line(100),
  email: emailAddress("Email is required."),
  mobile: phone().required("Mobile is required."),
  ...addressRules,
  isTester: optionalCheckbox(),
  isServiceProvider: optionalCheckbox(),
  referrer: line(200),
  issuedW8Form: optionalCheckbox(),
  completedSecurityInformation: optionalCheckbox(),
  completedSoftwareQA: optionalCheckbox(),
  isSubscribedToNewsLetter: optionalCheckbox(),
  hasCompletedTrial: optionalCheckbox(),
};

/** Name of a machine to block, not empty. */
const machineName = () => line(200).required("Machine name is required.");

/** The box above the list of blocked machines. */
export const blockMachineRules = object({ machineName: machineName() });

/** All machines blocked for a user; one that is not in the list is not blocked any more. */
const blockedMachines = () =>
  array(object({ machineName: machineName() }).typeError("Must be a machine."))
    .typeError("Must be a list of machines.")
    .max(MOST_BLOCKED, `At most ${MOST_BLOCKED} machines can be blocked.`)
    .test("no-duplicates", "The same machine name is there twice.", (list) => {
      const names = (list ?? []).map((entry) => comparedMachineName(String(entry?.machineName ?? "")));
      return new Set(names).size === names.length;
    });

/** What a user is created with, also by an import. */
export const createUserFields = {
  ...userRules,
  annualDeactivationLimit: deactivationLimit().default(defaultDeactivationLimit),
};

/** Creating a user. */
export const createUserRules = object({
  ...createUserFields,
  password: newPassword(),
  confirmPassword: repeatedPassword(),
});
/** Values that passed {@link createUserRules}. */
export type CreateUserValues = InferType<typeof createUserRules>;

/** The form of Create User: the limit must not be left empty. */
export const createUserFormRules = createUserRules.shape({
  annualDeactivationLimit: deactivationLimit().required("Annual deactivation limit is required."),
});

/** Updating a user. */
export const updateUserRules = object({
  ...userRules,
  abn: abn(),
  annualDeactivationLimit: deactivationLimit().required("Annual deactivation limit is required."),
  blockedMachines: blockedMachines(),
  revision: revision(),
});
/** Values that passed {@link updateUserRules}. */
export type UpdateUserValues = InferType<typeof updateUserRules>;

/** Body of `PUT /v1/users/admin/update-user`. */
export const updateUserBodyRules = updateUserRules.shape({
  id: line(100).required("Id is required."),
  /** Another wire name of `isServiceProvider`, which wins. */
  serviceProvider: optionalCheckbox(),
});
