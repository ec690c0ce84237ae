import { array, type InferType, object } from "yup";
import { rulesOf } from "#schema/fields/field.ts";
import { deactivationLimit, userFields } from "#schema/fields/user.ts";
import { comparedMachineName } from "#schema/machine-name.ts";
import { defaultDeactivationLimit } from "#schema/limits.ts";
import { optionalCheckbox } from "./account.ts";
import { newPassword, repeatedPassword } from "./password.ts";
import { line, revision } from "./text.ts";

/** Most machines that can be blocked for one user. */
export const MOST_BLOCKED = 500;

const { abn, annualDeactivationLimit, ...userRules } = rulesOf(userFields);

/** Name of a machine to block. */
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
  annualDeactivationLimit,
});

/** Updating a user. */
export const updateUserRules = object({
  ...userRules,
  abn,
  annualDeactivationLimit,
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
