import { array, type InferType, object, string } from "yup";
import { MemberType } from "#schema/catalogue.ts";
import { getRules } from "#schema/field.ts";
import { deactivationLimit, userFields } from "#schema/fields/user.ts";
import { normaliseMachineName } from "#schema/machine-name.ts";
import { defaultDeactivationLimit } from "#schema/limits.ts";
import { optionalCheckbox } from "./account.ts";
import { staffRolesRule } from "./staff-roles.ts";
import { line, revision } from "#schema/text.ts";

/** Maximum number of machines that can be blocked for one user. */
export const MAX_BLOCKED_MACHINES = 500;

const { abn, annualDeactivationLimit, ...userRules } = getRules(userFields);

/** Rules for a machine to block. */
export const blockMachineRules = object({ machineName: line(200).required("Machine name is required.") });

/**
 * Returns the rule for the complete list of a user's blocked machines. An update unblocks machines that are missing
 * from it.
 */
const blockedMachines = () =>
  array(blockMachineRules.typeError("Must be a machine."))
    .typeError("Must be a list of machines.")
    .max(MAX_BLOCKED_MACHINES, `At most ${MAX_BLOCKED_MACHINES} machines can be blocked.`)
    .test("no-duplicates", "The list contains the same machine name twice.", (list) => {
      const names = (list ?? []).map((entry) => normaliseMachineName(String(entry?.machineName ?? "")));
      return new Set(names).size === names.length;
    });

/** Rules for the fields of a new user, including one created by an import. */
export const createUserFields = {
  ...userRules,
  annualDeactivationLimit: deactivationLimit().default(defaultDeactivationLimit),
};

/** Returns the rule for a field that clients may still send, and that has no effect. */
const ignored = () => string().transform(() => undefined);

export const createUserRules = object({
  ...createUserFields,
  staffRoles: staffRolesRule(),
  // Only its owner types a password (docs/domain.md#invitations).
  password: ignored(),
  confirmPassword: ignored(),
});
export type CreateUserValues = InferType<typeof createUserRules>;

/** Returns the rule for the roles in a form, in which an admin must have one. */
const formRoles = () =>
  staffRolesRule().when("memberType", {
    is: MemberType.Admin,
    then: (rule) => rule.min(1, "Choose at least one role."),
  });

/** Rules for the Create User form, in which the limit must not be empty. */
export const createUserFormRules = createUserRules.shape({
  annualDeactivationLimit,
  staffRoles: formRoles(),
});

export const updateUserRules = object({
  ...userRules,
  abn,
  annualDeactivationLimit,
  blockedMachines: blockedMachines(),
  staffRoles: staffRolesRule(),
  revision: revision(),
});
export type UpdateUserValues = InferType<typeof updateUserRules>;

/** Rules for the User Details form. */
export const updateUserFormRules = updateUserRules.shape({ staffRoles: formRoles() });

/** Body of `PUT /v1/users/admin/update-user`. */
export const updateUserBodyRules = updateUserRules.shape({
  id: line(100).required("Id is required."),
  /** Alternative name of `isServiceProvider`. If both are sent, `isServiceProvider` takes precedence. */
  serviceProvider: optionalCheckbox(),
});
