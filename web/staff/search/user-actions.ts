import { MemberType, needsSeat } from "#schema/catalogue.ts";
import type { UserActionsQuery, UserActionsQueryVariables } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { getSession } from "#web/platform/session.ts";
import { offersRole } from "#web/platform/staff-role.tsx";
import { postAsAdmin } from "./post-as-admin.ts";
import type { ScreenHit } from "./screens.ts";
import userActionsOperation from "./user-actions.graphql?operation";

/** A user whose actions the search box lists. */
export interface UserActions {
  readonly name: string;
  readonly actions: readonly ScreenHit[];
}

/** Licences whose actions are listed. Customers with more choose in their Licences tab. */
const MOST_LICENCES = 5;

/**
 * Loads the actions that staff can take on a user. Each leads to the screen with the dialog open; none changes anything yet.
 * @throws ServerError, NetworkFailure
 */
export async function loadUserActions(userId: string): Promise<UserActions> {
  const { user } = await postAsAdmin<UserActionsQuery, UserActionsQueryVariables>(userActionsOperation, { id: userId });
  const changes = offersRole(user.memberType === MemberType.Admin ? "owner" : "support", getSession());
  const actions = listActions(user).filter(({ label }) => changes || readingActions.has(label));
  return { name: `${user.firstName} ${user.lastName}`, actions };
}

/** Actions that change nothing, for staff who may not change the user. */
const readingActions: ReadonlySet<string> = new Set([
  "Open",
  "Licences",
  "Billing",
  "History",
  "Seats",
  "View licence history",
]);

type User = UserActionsQuery["user"];
type Licence = User["licences"][number];

function listActions(user: User): ScreenHit[] {
  const { id, isActive, emailConfirmed, memberType, licences } = user;
  const page = paths.updateUser.href({ id });
  const isCustomer = memberType !== MemberType.Admin;
  const to = (label: string, query: string, subLabel: string): ScreenHit => ({
    kind: "ACTION",
    id: page + (query && `?${query}`),
    label,
    subLabel,
    isPast: false,
  });
  const current = licences.filter(({ status }) => status !== "REVOKED");
  return [
    to("Open", "", "User details"),
    ...(isActive
      ? [
          to("Send Password Reset", "action=password-reset", "Email a link to choose a new password"),
          ...(emailConfirmed ? [] : [to("Resend Confirmation", "action=confirmation", "Email a new link")]),
        ]
      : [to("Restore", "action=restore", "Restore the archived account")]),
    ...(isCustomer && isActive ? [to("View as customer", "action=view", "Read-only, in a new tab")] : []),
    ...current.slice(0, MOST_LICENCES).flatMap((licence) => listLicenceActions(licence, id, to)),
    ...(isCustomer
      ? [
          to("Licences", "tab=licences", licences.length === 1 ? "1 licence" : `${licences.length} licences`),
          to("Add A Licence", "tab=licences&action=add", "Issue a licence by hand"),
          to("Reset Licence Deactivation Counter", "tab=licences&action=reset-counter", "Allow more deactivations"),
          to("Billing", "tab=billing", "Invoices, payments and credit"),
        ]
      : []),
    to("Add a comment", "tab=comments&action=add", "Note for staff"),
    to("Create A Contact", "tab=contacts&action=add", "Someone at the customer's company"),
    to("Blocked machines", "action=blocked-machines", "Block or unblock a machine"),
    to("Sign out everywhere", "tab=sign-in&action=sign-out", "End all sessions"),
    to("History", "tab=history", "Everything that happened to the account"),
    ...(isActive ? [to("Delete", "action=archive", "Archive the account")] : []),
  ];
}

function listLicenceActions(
  { id, supportCode, subscriptionLevel, usageLimit, licenceActivationType }: Licence,
  userId: string,
  to: (label: string, query: string, subLabel: string) => ScreenHit,
): ScreenHit[] {
  const name = `${subscriptionLevel} ${supportCode}`;
  const open = (action: string) => `tab=licences&action=${action}&on=${id}`;
  const lead = (label: string, url: string): ScreenHit => ({ ...to(label, "", name), id: url });
  return [
    to("Change Seats", open("seats"), name),
    to(usageLimit === null ? "Extend Licence" : "Extend Trial", open("update"), name),
    lead("Deactivate Device", `${paths.activatedDevices.href({ licenceId: id, userId })}?action=deactivate`),
    ...(needsSeat(licenceActivationType) ? [lead("Seats", paths.seats.href({ licenceId: id }))] : []),
    lead("View licence history", paths.licenceHistory.href({ licenceId: id })),
    to("Deactivate Licence", open("deactivate"), name),
  ];
}
