import { defaultDeactivationLimit, defaultCountry } from "#schema/limits.ts";
import { type CreateUserValues, MemberType, memberTypes, type UpdateUserValues } from "#schema/user.ts";
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
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    companyName: user.companyName,
    position: user.position,
    memberType: String(toValue(memberTypes, user.memberType)) as never,
    staffRoles: toShownRoles(user),
    email: user.email,
    mobile: user.mobile,
    abn: user.abn,
    unitNumber: user.unitNumber,
    streetNumber: user.streetNumber,
    streetName: user.streetName,
    city: user.city,
    state: user.state,
    postCode: user.postCode,
    country: user.country,
    referrer: user.referrer,
    isServiceProvider: user.isServiceProvider,
    isTester: user.isTester,
    issuedW8Form: user.issuedW8Form,
    completedSecurityInformation: user.completedSecurityInformation,
    completedSoftwareQA: user.completedSoftwareQA,
    isSubscribedToNewsLetter: user.isSubscribedToNewsLetter,
    hasCompletedTrial: user.hasCompletedTrial,
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
  unitNumber: "",
  streetNumber: "",
  streetName: "",
  city: "",
  state: "",
  postCode: "",
  country: defaultCountry,
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
