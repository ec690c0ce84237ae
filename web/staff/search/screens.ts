import { customerStaff } from "#schema/staff-roles.ts";
import { paths } from "#web/platform/paths.ts";
import { getSession } from "#web/platform/session.ts";
import { type NeededRole, offersRole } from "#web/platform/staff-role.tsx";

/** A screen of the admin area that the search box finds by its name, or an action that starts on one. */
export interface ScreenHit {
  readonly kind: "SCREEN" | "ACTION";
  /** URL of the screen, with the action to start. */
  readonly id: string;
  readonly label: string;
  readonly subLabel: string;
  readonly isPast: false;
  readonly role?: NeededRole;
}

const screen = (label: string, id: string, subLabel: string): ScreenHit => ({
  kind: "SCREEN",
  id,
  label,
  subLabel,
  isPast: false,
});

const action = (...values: Parameters<typeof screen>): ScreenHit => ({ ...screen(...values), kind: "ACTION" });

const screens: readonly ScreenHit[] = [
  {
    ...screen("Users", paths.manageUsers.href(), "Find, edit and archive customers and staff"),
    role: customerStaff,
  },
  screen("Home", paths.admin.href(), "What needs attention"),
  { ...action("Create User", paths.createUser.href(), "Add an account by hand"), role: "support" },
  {
    ...screen("Subscriptions", paths.subscriptions.href(), "Renewals and overdue payments"),
    role: customerStaff,
  },
  {
    ...screen("Invoices", paths.adminInvoices.href(), "All invoices and adjustment notes"),
    role: customerStaff,
  },
  { ...screen("Tax", paths.tax.href(), "GST summary, revenue and cash"), role: "finance" },
  { ...screen("Plans", paths.plans.href(), "Prices, and plans on sale"), role: "finance" },
  { ...screen("Promo Codes", paths.managePromoCodes.href(), "Add and change discounts"), role: customerStaff },
  { ...action("Add a promo code", `${paths.managePromoCodes.href()}?action=add`, "Offer a discount"), role: "finance" },
  { ...screen("Reports", paths.reports.href(), "Preview, download and schedule"), role: "finance" },
  { ...screen("Dashboard", paths.dashboard.href(), "Trials, subscriptions and churn"), role: customerStaff },
  { ...screen("Software", paths.manageSoftware.href(), "Upload and publish builds"), role: "release" },
  { ...screen("Bulk Work", paths.bulkWork.href(), "Past imports, extensions and deactivations"), role: "support" },
  { ...action("New bulk run", paths.newBulkRun.href(), "Import, extend or deactivate from a file"), role: "support" },
  { ...screen("Seats", paths.adminSeats.href(), "Seats in use on concurrent licences"), role: customerStaff },
  { ...screen("Audit Log", paths.auditLog.href(), "Changes by staff"), role: customerStaff },
  { ...screen("Security Events", paths.securityEvents.href(), "Sign-ins, refusals and exports"), role: "owner" },
  screen("Change Password", paths.changePassword.href(), "Your own password"),
  screen("Two-step sign-in", paths.twoStepSignIn.href(), "Authenticator app or passkeys for your account"),
  screen("Personal access tokens", paths.personalAccessTokens.href(), "Let scripts use the API on your behalf"),
  screen("Webhooks", paths.webhooks.href(), "Send events to your own systems"),
];

/** Finds screens and actions by their label, as {@link matchLabels} does. */
export function findScreens(text: string): ScreenHit[] {
  const session = getSession();
  return matchLabels(
    screens.filter(({ role }) => offersRole(role, session)),
    text,
  );
}

/** Returns the hits whose label, or another text, has a word that starts with each typed word. */
export function matchLabels(
  hits: readonly ScreenHit[],
  text: string,
  getText = ({ label }: ScreenHit) => label,
): ScreenHit[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  return hits.filter((hit) => {
    const words = getText(hit).toLowerCase().split(" ");
    return typed.every((start) => words.some((word) => word.startsWith(start)));
  });
}
