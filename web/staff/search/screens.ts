import { paths } from "#web/platform/paths.ts";

/** A screen or action of the admin area that the search box finds by its name. */
export interface ScreenHit {
  readonly kind: "SCREEN";
  /** URL of the screen. */
  readonly id: string;
  readonly label: string;
  readonly subLabel: string;
  readonly isPast: false;
}

const screen = (label: string, id: string, subLabel: string): ScreenHit => ({
  kind: "SCREEN",
  id,
  label,
  subLabel,
  isPast: false,
});

const screens: readonly ScreenHit[] = [
  screen("Users", paths.manageUsers.href(), "Find, edit and archive customers and staff"),
  screen("Create User", paths.createUser.href(), "Add an account by hand"),
  screen("Promo Codes", paths.managePromoCodes.href(), "Add and change discounts"),
  screen("Reports", paths.reports.href(), "Preview, download and schedule"),
  screen("Dashboard", paths.dashboard.href(), "Trials, subscriptions and churn"),
  screen("Software", paths.manageSoftware.href(), "Upload and publish builds"),
  screen("Bulk Work", paths.bulkWork.href(), "Past imports, extensions and deactivations"),
  screen("New bulk run", paths.newBulkRun.href(), "Import, extend or deactivate from a file"),
  screen("Audit Log", paths.auditLog.href(), "Changes by staff"),
];

/** Finds screens whose label has a word that starts with each typed word. */
export function findScreens(text: string): ScreenHit[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  return screens.filter(({ label }) => {
    const words = label.toLowerCase().split(" ");
    return typed.every((start) => words.some((word) => word.startsWith(start)));
  });
}
