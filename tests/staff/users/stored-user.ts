import { getExample, getLabels } from "#schema/field.ts";
import { userFields } from "#schema/user.ts";

/** A user as the GraphQL API returns it to staff. */
export const storedUser = {
  ...getExample(userFields),
  __typename: "User",
  id: "b1b4c7c2-0000-4000-8000-000000000007",
  memberType: "REGULAR",
  isActive: true,
  cancellationPendingSince: null,
  deletedAt: null,
  emailConfirmed: true,
  email: "ada@demo.test",
  fullAddress: "Level 3, 120 Eagle Street, Brisbane",
  referrer: "Trade fair",
  isTester: true,
  isSubscribedToNewsLetter: false,
  staffRoles: [],
  revision: 1,
  blockedMachines: [
    { __typename: "BlockedMachine", id: "m1", machineName: "BNE-PLAN-007|office", blockedAt: "2025-12-05T02:00:00Z" },
  ],
};

const { fullAddress: _, ...labels } = getLabels(userFields);
const values: Record<string, unknown> = { ...storedUser, memberType: "1", annualDeactivationLimit: "3" };

/** Texts and options in the form of the same user, by label. */
export const storedFormValues: Record<string, string> = Object.fromEntries(
  Object.entries(labels).flatMap(([name, label]) => {
    const value = values[name];
    return typeof value === "string" ? [[label, value]] : [];
  }),
);
