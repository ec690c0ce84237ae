import { array, type InferType, object, string } from "yup";
import { defineList } from "./closed-list.ts";
import { defineFields, getRules } from "./field.ts";
import { defaultDeactivationLimit } from "./limits.ts";
import { normaliseMachineName } from "./machine-name.ts";
import { phone } from "./account.ts";
import { addressRules } from "./address.ts";
import { abn } from "./billing-details.ts";
import { type StaffRole, staffRoleNames, staffRoles } from "./staff-roles.ts";
import {
  emailAddress,
  line,
  numberOfList,
  numericField,
  optionalCheckbox,
  personName,
  revision,
  textOfList,
} from "./text.ts";

/** Types of users. */
export const memberTypes = defineList("MemberType", "The type of a user: a customer or an admin.", {
  REGULAR: [1, "Regular", "A customer who signs up, buys and manages licences in the portal."],
  CORPORATE: [2, "Corporate", "A customer whose licences staff add, for a company that buys by purchase order."],
  ADMIN: [3, "Admin", "A member of the vendor's staff."],
});

export const MemberType = { Regular: 1, Corporate: 2, Admin: 3 } as const;
export type MemberType = (typeof MemberType)[keyof typeof MemberType];

const MEMBER_TYPE = "Member type is required.";

/**
 * Returns the rule for a yearly limit from 0 to 1000. The messages suggest that 0 and 1000 aren't allowed, but both
 * are.
 */
const deactivationLimit = () =>
  numericField()
    .typeError("Must be a number.")
    .integer("Must be a whole number.")
    .min(0, "Must be greater than 0.")
    .max(1000, "Must be less than 1000.");

/** All fields of a user that staff edit. Unlike in the users' own forms, the position is optional. */
export const userFields = defineFields({
  firstName: { label: "First Name", rule: personName("First name"), example: "Ada" },
  lastName: { label: "Last Name", rule: personName("Last name"), example: "Byron" },
  memberType: {
    label: "Member type",
    rule: numberOfList(memberTypes, MEMBER_TYPE).required(MEMBER_TYPE),
    example: 1,
    list: memberTypes,
    stored: { memberType: "User type" },
  },
  companyName: {
    label: "Company name",
    rule: line(100),
    example: "Analytical Planning",
    stored: { companyName: "Company" },
  },
  position: { label: "Position", rule: line(100), example: "Planner" },
  email: { label: "Email", rule: emailAddress("Email is required."), example: "ada@example.com" },
  mobile: { label: "Phone", rule: phone().required("Mobile is required."), example: "+61 400 000 000" },
  abn: { label: "ABN", rule: abn(), example: "51 824 753 556" },
  fullAddress: {
    label: "Full address",
    rule: addressRules.fullAddress,
    example: "3/120 Eagle Street, Brisbane QLD 4000, Australia",
  },
  unitNumber: { label: "Unit number", rule: addressRules.unitNumber, example: "3" },
  streetNumber: { label: "Street number", rule: addressRules.streetNumber, example: "120" },
  streetName: { label: "Street name", rule: addressRules.streetName, example: "Eagle Street" },
  city: { label: "City", rule: addressRules.city, example: "Brisbane" },
  state: { label: "State", rule: addressRules.state, example: "QLD" },
  postCode: { label: "Post Code", rule: addressRules.postCode, example: "4000" },
  country: { label: "Country", rule: addressRules.country, example: "Australia" },
  referrer: { label: "Referrer", rule: line(200), example: "" },
  isServiceProvider: { label: "Service provider", rule: optionalCheckbox(), example: false },
  isTester: { label: "Tester", rule: optionalCheckbox(), example: false },
  issuedW8Form: {
    label: "Issued W-8 form",
    rule: optionalCheckbox(),
    example: false,
    stored: { issuedW8Form: "Issued W-8 form" },
  },
  completedSecurityInformation: { label: "Completed security information", rule: optionalCheckbox(), example: false },
  completedSoftwareQA: { label: "Completed software QA", rule: optionalCheckbox(), example: false },
  isSubscribedToNewsLetter: { label: "Subscribed to newsletter", rule: optionalCheckbox(), example: true },
  hasCompletedTrial: { label: "Has completed trial", rule: optionalCheckbox(), example: false },
  annualDeactivationLimit: {
    label: "Annual deactivation limit",
    rule: deactivationLimit().required("Annual deactivation limit is required."),
    example: 3,
  },
});

/** Returns the rule for the staff roles of an admin. Sorts them and removes duplicates. */
const staffRolesRule = () =>
  array(
    textOfList(staffRoles, `Must be one of ${staffRoleNames.join(", ")}.`)
      .typeError("Must be a role.")
      .required("Must be a role."),
  )
    .typeError("Must be a list of roles.")
    .max(20, "Too many roles.")
    .transform((roles: unknown) =>
      Array.isArray(roles) && roles.every((role) => staffRoleNames.includes(role as StaffRole))
        ? staffRoleNames.filter((role) => roles.includes(role))
        : roles,
    );

/** Maximum number of machines that can be blocked for one user. */
export const MAX_BLOCKED_MACHINES = 500;

/** Error message for more blocked machines than {@link MAX_BLOCKED_MACHINES}. */
export const TOO_MANY_BLOCKED_MACHINES = `At most ${MAX_BLOCKED_MACHINES} machines can be blocked.`;

const { abn: userAbn, annualDeactivationLimit, ...userRules } = getRules(userFields);

/** Rules for a machine to block. */
export const blockMachineRules = object({ machineName: line(200).required("Machine name is required.") });

/**
 * Returns the rule for the complete list of a user's blocked machines. An update unblocks machines that are missing
 * from it.
 */
const blockedMachines = () =>
  array(blockMachineRules.typeError("Must be a machine.").meta({ jsonSchema: { title: "MachineToBlock" } }))
    .typeError("Must be a list of machines.")
    .max(MAX_BLOCKED_MACHINES, TOO_MANY_BLOCKED_MACHINES)
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
export const createUserFormRules = createUserRules.shape({ annualDeactivationLimit, staffRoles: formRoles() });

export const updateUserRules = object({
  ...userRules,
  abn: userAbn,
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
