import { array, string } from "yup";
import { type StaffRole, staffRoleNames, staffRoles } from "#schema/staff-roles.ts";

/** Returns the rule for the staff roles of an admin. Sorts them and removes duplicates. */
export const staffRolesRule = () =>
  array(
    string<StaffRole>()
      .typeError("Must be a role.")
      .required("Must be a role.")
      .oneOf(staffRoleNames, `Must be one of ${staffRoleNames.join(", ")}.`)
      .meta({ list: () => staffRoles }),
  )
    .typeError("Must be a list of roles.")
    .max(20, "Too many roles.")
    .transform((roles: unknown) =>
      Array.isArray(roles) && roles.every((role) => staffRoleNames.includes(role as StaffRole))
        ? staffRoleNames.filter((role) => roles.includes(role))
        : roles,
    );
