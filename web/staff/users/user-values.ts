import { blankAddress } from "#schema/address-forms.ts";
import { pickFields } from "#schema/field.ts";
import { defaultDeactivationLimit } from "#schema/limits.ts";
import { type CreateUserValues, MemberType, memberTypes, type UpdateUserValues, userFields } from "#schema/user.ts";
import type { UserDetailsFieldsFragment } from "#web/generated/graphql.ts";
import { toCode, toValue } from "#schema/closed-list.ts";
import { staffRoles as staffRoleList } from "#schema/staff-roles.ts";

/** A blocked machine in the form. The date is null until the machine is saved. */
export interface ListedMachine {
  machineName: string;
  blockedAt: string | null;
}

/** Values of the update form. Select and number fields contain text until validation converts them. */
export type UpdateUserForm = Omit<UpdateUserValues, "blockedMachines" | "revision"> & {
  blockedMachines: ListedMachine[];
};

export function toUserFormValues(user: UserDetailsFieldsFragment): UpdateUserForm {
  const { fullAddress: _, ...fields } = pickFields(userFields, user);
  return {
    ...fields,
    memberType: String(toValue(memberTypes, user.memberType)) as never,
    staffRoles: toShownRoles(user),
    annualDeactivationLimit: String(user.annualDeactivationLimit) as never,
    blockedMachines: user.blockedMachines
      .map(({ machineName, blockedAt }) => ({ machineName, blockedAt }))
      .toSorted((one, other) => one.machineName.localeCompare(other.machineName)),
  };
}

/** Initial values of the create form. */
export const newUserValues: CreateUserValues = {
  firstName: "",
  lastName: "",
  companyName: "",
  position: "",
  memberType: "1" as never,
  staffRoles: [],
  email: "",
  mobile: "",
  ...blankAddress,
  referrer: "",
  isServiceProvider: false,
  isTester: false,
  issuedW8Form: false,
  completedSecurityInformation: false,
  completedSoftwareQA: false,
  isSubscribedToNewsLetter: false,
  hasCompletedTrial: false,
  annualDeactivationLimit: String(defaultDeactivationLimit) as never,
};

/** Returns the roles to check in the form. An admin without a role is an owner. */
function toShownRoles({ memberType, staffRoles }: Pick<UserDetailsFieldsFragment, "memberType" | "staffRoles">) {
  return memberType === "ADMIN" && staffRoles.length === 0
    ? ["owner" as const]
    : staffRoles.map((role) => toValue(staffRoleList, role));
}

/** Returns the codes of the roles to save. Customers have none. */
export function toRoleCodes({ memberType, staffRoles = [] }: Pick<UpdateUserValues, "memberType" | "staffRoles">) {
  return memberType === MemberType.Admin ? staffRoles.map((role) => toCode(staffRoleList, role ?? "")) : [];
}
