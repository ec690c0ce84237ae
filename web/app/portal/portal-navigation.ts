import {
  IconArmchair,
  IconCode,
  IconCreditCard,
  IconDatabaseExport,
  IconDiscount2,
  IconFileInvoice,
  IconFileSpreadsheet,
  IconHistory,
  IconHome,
  IconLayoutDashboard,
  IconLicense,
  IconPackage,
  IconReceiptTax,
  IconShieldExclamation,
  IconShieldLock,
  IconStack2,
  IconTag,
  IconUser,
  IconUsers,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { customerStaff } from "#schema/staff-roles.ts";
import { type AppPath, paths } from "#web/platform/paths.ts";
import type { Role } from "#web/platform/session.ts";
import type { NeededRole } from "#web/platform/staff-role.tsx";

/** A link of the side navigation. */
export interface PortalLink {
  readonly label: string;
  readonly to: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: true }>;
  /** Pages that belong to the link, besides those below `to`. */
  readonly pages: readonly AppPath[];
  readonly role?: NeededRole;
}

/** The side navigation of a role. */
export interface PortalNavigation {
  /** Name of the landmark. */
  readonly name: "Account" | "Admin";
  readonly links: readonly PortalLink[];
}

const link = (label: string, icon: PortalLink["icon"], first: AppPath<string>, pages: AppPath[] = []): PortalLink => ({
  label,
  icon,
  to: first.pattern,
  pages: [first, ...pages],
});

const overview = link("Overview", IconHome, paths.myAccount, [paths.trial]);
const licences = link("Licences", IconLicense, paths.licences, [
  paths.activatedDevices,
  paths.licenceHistory,
  paths.seats,
  paths.activate,
  paths.offlineActivation,
]);
const billing = link("Billing", IconCreditCard, paths.manageSubscription, [
  paths.manageSubscriptionTo,
  paths.managePaymentDetails,
  paths.changeSubscription,
]);
const invoices = link("Invoices", IconFileInvoice, paths.taxInvoices);
const profile = link("Profile", IconUser, paths.updateProfile);
const security = link("Security", IconShieldLock, paths.security, [
  paths.changePassword,
  paths.twoStepSignIn,
  paths.sessions,
]);
const developers = link("Developers", IconCode, paths.developers, [
  paths.personalAccessTokens,
  paths.webhooks,
  paths.webhookEndpoint,
]);
const yourData = link("Your data", IconDatabaseExport, paths.yourData);

/** Side navigation by role. Corporate customers have no subscription, so they have no Billing. */
export const portalNavigation: Readonly<Record<Role, PortalNavigation>> = {
  regular: {
    name: "Account",
    links: [overview, licences, billing, invoices, profile, security, developers, yourData],
  },
  corporate: { name: "Account", links: [overview, licences, invoices, profile, security, developers, yourData] },
  admin: {
    name: "Admin",
    links: [
      link("Home", IconHome, paths.admin, [paths.attention]),
      {
        ...link("Users", IconUsers, paths.manageUsers, [paths.createUser, paths.updateUser]),
        role: customerStaff,
      },
      { ...link("Subscriptions", IconCreditCard, paths.subscriptions), role: customerStaff },
      { ...link("Invoices", IconFileInvoice, paths.adminInvoices), role: customerStaff },
      { ...link("Tax", IconReceiptTax, paths.tax), role: "finance" },
      { ...link("Plans", IconTag, paths.plans), role: "finance" },
      { ...link("Promo Codes", IconDiscount2, paths.managePromoCodes), role: customerStaff },
      { ...link("Reports", IconFileSpreadsheet, paths.reports, [paths.reportFile]), role: "finance" },
      {
        ...link("Dashboard", IconLayoutDashboard, paths.dashboard, [paths.dashboardList]),
        role: customerStaff,
      },
      { ...link("Software", IconPackage, paths.manageSoftware), role: "release" },
      { ...link("Bulk Work", IconStack2, paths.bulkWork, [paths.newBulkRun, paths.bulkRun]), role: "support" },
      { ...link("Seats", IconArmchair, paths.adminSeats), role: customerStaff },
      { ...link("Audit Log", IconHistory, paths.auditLog), role: customerStaff },
      { ...link("Security Events", IconShieldExclamation, paths.securityEvents), role: "owner" },
    ],
  },
};
