import { needsSeat } from "#schema/licence-types.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatCount } from "#schema/numbers.ts";
import { hasSeatsByInvoice, isTrialLevel } from "#schema/product-level.ts";
import { customerStaff, staffRoleNames } from "#schema/staff-roles.ts";
import type { UserActionsQuery } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { getSession } from "#web/platform/session.ts";
import { offersRole } from "#web/platform/staff-role.tsx";
import { postAsAdmin } from "./search-source.ts";
import type { ScreenHit } from "./screens.ts";
import userActionsOperation from "operation:UserActions";

/** A user whose actions the search box lists. */
export interface UserActions {
  readonly name: string;
  readonly actions: readonly ScreenHit[];
}

/** Licences whose actions are listed. Customers with more choose in their Licences tab. */
const MOST_LICENCES = 5;

/** Payments that can be refunded here. Older ones are in the Billing tab. */
const MOST_REFUNDS = 3;

/**
 * Loads the actions that staff can take on a user. Each leads to the screen with the dialog open; none changes anything yet.
 * @throws ServerError, NetworkFailure
 */
export async function loadUserActions(userId: string): Promise<UserActions> {
  const has = (role: ScreenHit["role"]) => offersRole(role, getSession());
  const { user } = await postAsAdmin(userActionsOperation, { id: userId, billing: has(customerStaff) });
  return { name: `${user.firstName} ${user.lastName}`, actions: listActions(user).filter(({ role }) => has(role)) };
}

type User = UserActionsQuery["user"];
type Licence = User["licences"][number];

type Lead = (label: string, query: string, subLabel: string, role?: ScreenHit["role"]) => ScreenHit;

function listActions(user: User): ScreenHit[] {
  const { id, companyName, isActive, emailConfirmed, memberType, licences } = user;
  const page = paths.updateUser.href({ id });
  const isCustomer = memberType !== "ADMIN";
  // Nobody can delete or erase their own account.
  const isOwn = getSession()?.claims.id === id;
  const editor = isCustomer ? "support" : "owner";
  const to: Lead = (label, query, subLabel, role = editor) => ({
    kind: "ACTION",
    id: page + (query && `?${query}`),
    label,
    subLabel,
    isPast: false,
    role,
  });
  const open = to("Open", "", "Overview of the user", staffRoleNames);
  const history = to("History", "tab=history", "Everything that happened to the account", staffRoleNames);
  // Nothing can be added to a deleted account.
  if (user.deletedAt) return [open, history];
  const current = licences.filter(({ status }) => status !== "REVOKED");
  return [
    open,
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
          to("Licences", "tab=licences", formatCount(licences.length, "licence"), staffRoleNames),
          to("Add A Licence", "tab=licences&action=add", "Issue a licence by hand"),
          to("Reset Licence Deactivation Counter", "tab=licences&action=reset-counter", "Allow more deactivations"),
          ...listBillingActions(user, to),
          to(
            "Change Company",
            "tab=details&action=company",
            companyName ? `${companyName}, on future invoices` : "On future invoices",
          ),
        ]
      : []),
    to("Add a comment", "tab=comments&action=add", "Note for staff"),
    to("Create A Contact", "tab=contacts&action=add", "Someone at the customer's company"),
    to("Blocked machines", "tab=details&action=blocked-machines", "Block or unblock a machine"),
    to("Sign out everywhere", "tab=sign-in&action=sign-out", "End all sessions"),
    history,
    ...(isActive && !isOwn ? [to("Delete", "action=archive", "Archive the account")] : []),
    ...(isOwn ? [] : [to("Erase", "action=erase", "Erase all personal data for good", "owner")]),
  ];
}

function listLicenceActions(
  { id, supportCode, productLevel, subscriptionLevel, licenceActivationType }: Licence,
  userId: string,
  to: Lead,
): ScreenHit[] {
  const name = `${subscriptionLevel} ${supportCode}`;
  const open = (action: string) => `tab=licences&action=${action}&on=${id}`;
  const lead = (label: string, url: string, role?: ScreenHit["role"]): ScreenHit => ({
    ...to(label, "", name, role),
    id: url,
  });
  return [
    to("Change Seats", open("seats"), name),
    ...(hasSeatsByInvoice(productLevel)
      ? [to("Add seats", `tab=billing&action=add-seats&on=${id}`, `${name}, with an invoice`, "finance")]
      : []),
    isTrialLevel(productLevel)
      ? to("Extend Trial", open("extend-trial"), name)
      : to("Extend Licence", open("update"), name),
    lead("Deactivate Device", `${paths.activatedDevices.href({ licenceId: id, userId })}?action=deactivate`),
    ...(needsSeat(licenceActivationType) ? [lead("Seats", paths.seats.href({ licenceId: id }), staffRoleNames)] : []),
    lead("View licence history", paths.licenceHistory.href({ licenceId: id }), staffRoleNames),
    to("Deactivate Licence", open("deactivate"), name),
  ];
}

function listBillingActions({ billingSubscriptions = [], paymentAttempts = [] }: User, to: Lead): ScreenHit[] {
  const [subscription] = billingSubscriptions;
  const status = subscription?.status ?? "ENDED";
  const plan = subscription?.plan ?? "";
  // A paused subscription may be cancelled, too.
  const afterPause = subscription?.isCancelledAtPeriodEnd ? "CANCELLING" : "ACTIVE";
  const running = status === "PAUSED" ? afterPause : status;
  const open = (action: string) => `tab=billing&action=${action}`;
  return [
    to("Billing", "tab=billing", "Invoices, payments and credit", customerStaff),
    ...(status === "PAST_DUE" ? [to("Retry Payment", open("retry-payment"), plan, customerStaff)] : []),
    ...(status === "ENDED"
      ? []
      : [to("Send Update-Card Link", open("update-card"), "Email a link to replace the card", customerStaff)]),
    ...paymentAttempts
      .filter((payment) => payment.status === "PAID" || payment.status === "PARTLY_REFUNDED")
      .slice(0, MOST_REFUNDS)
      .flatMap(({ at, amountCents, taxInvoice }) => {
        if (!taxInvoice) return [];
        const paid = `Invoice ${taxInvoice.number}, ${formatAud(amountCents)} on ${formatSellerDate(at)}`;
        return [to("Refund", `${open("refund")}&on=${taxInvoice.id}`, paid, "finance")];
      }),
    ...(running === "CANCELLING" ? [to("Resume Subscription", open("resume-subscription"), plan, "finance")] : []),
    ...(status === "ENDED" ? [] : [to("Cancel Subscription", open("cancel-subscription"), plan, "finance")]),
    to("Create Invoice", open("create-invoice"), "Invoice or quote by hand", "finance"),
    to("Add Credit", open("add-credit"), "Reduces the next invoices", "finance"),
  ];
}
