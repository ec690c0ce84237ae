import { type Access, everybody, type RouteEntry } from "#web/platform/route-entry.ts";
import { rememberProductIntent, rememberTrialIntent } from "#web/platform/landing.ts";
import { lazyPage, type LazyPage } from "#web/platform/lazy-page.ts";
import { paths } from "#web/platform/paths.ts";
import type { PortalPageName } from "./portal-pages.ts";
import { publicRoutes } from "./public-routes.ts";

const { admin, home, myAccount } = paths;

const visitors: Access = { kind: "signed-out" };
const customers: Access = { kind: "private", elsewhere: { admin: admin.href() } };
/** Only type 1 pays. Other users are redirected to their landing page (docs/domain.md#member-types). */
const payers = { kind: "private", elsewhere: { corporate: home.href(), admin: admin.href() } } as const;
const triallers: Access = { ...payers, signedOut: rememberTrialIntent };
const subscribers: Access = { ...payers, signedOut: ({ productId }) => rememberProductIntent(productId ?? "") };
/** All admin pages except the landing page and Manage Users redirect other users to the home page. */
const staff: Access = { kind: "private", elsewhere: { regular: home.href(), corporate: home.href() } };
const admins: Access = { kind: "private", elsewhere: { regular: myAccount.href(), corporate: myAccount.href() } };

/** Returns a page for signed-in users. Visitors don't load the list of these files. */
const portalPage = (name: PortalPageName): LazyPage =>
  lazyPage(async () => (await import("./portal-pages.ts")).portalPages[name]());

/** Every page that loads on demand. The error pages are part of the shell (router.tsx). */
export const routes: readonly RouteEntry[] = [
  ...publicRoutes,
  { path: paths.error403, access: everybody, page: lazyPage(() => import("#web/pages/public/error-403.tsx")) },
  { path: paths.error404, access: everybody, page: lazyPage(() => import("#web/pages/public/error-404.tsx")) },
  { path: paths.register, access: visitors, page: lazyPage(() => import("#web/pages/public/register.tsx")) },
  { path: paths.login, access: visitors, page: lazyPage(() => import("#web/pages/public/login.tsx")) },
  { path: paths.contactUs, access: everybody, page: lazyPage(() => import("#web/pages/public/contact-us.tsx")) },
  { path: paths.logout, access: everybody, page: lazyPage(() => import("#web/pages/public/logout.tsx")) },
  // Both confirmation pages check access themselves, because users can change their email while signed in.
  {
    path: paths.forgotPassword,
    access: visitors,
    page: lazyPage(() => import("#web/pages/public/forgot-password.tsx")),
  },
  {
    path: paths.resetPassword,
    access: visitors,
    page: lazyPage(() => import("#web/pages/public/reset-password.tsx")),
  },
  {
    path: paths.changePassword,
    access: { kind: "private" },
    page: portalPage("customer/change-password"),
    usesApollo: true,
  },
  {
    path: paths.emailConfirmation,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/email-confirmation.tsx")),
  },
  {
    path: paths.confirmEmail,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/confirm-email.tsx")),
  },
  {
    path: paths.undoEmailChange,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/undo-email-change.tsx")),
  },
  { path: paths.trial, access: triallers, page: portalPage("public/try"), usesApollo: true },
  {
    path: myAccount,
    access: customers,
    page: portalPage("customer/my-account"),
    usesApollo: true,
  },
  {
    path: paths.manageSubscription,
    access: payers,
    page: portalPage("customer/manage-subscription"),
    usesApollo: true,
  },
  {
    path: paths.manageSubscriptionTo,
    access: subscribers,
    page: portalPage("public/manage-subscription-to"),
    usesApollo: true,
  },
  {
    path: paths.managePaymentDetails,
    access: payers,
    page: portalPage("customer/manage-payment-details"),
    usesApollo: true,
  },
  {
    path: paths.changeSubscription,
    access: payers,
    page: portalPage("customer/change-subscription"),
    usesApollo: true,
  },
  {
    path: paths.subscribeLink,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/subscribe-link.tsx")),
  },
  {
    path: paths.licences,
    access: customers,
    page: portalPage("customer/licences"),
    usesApollo: true,
  },
  {
    path: paths.security,
    access: { kind: "private" },
    page: portalPage("customer/security"),
    usesApollo: true,
  },
  {
    path: paths.developers,
    access: { kind: "private" },
    page: portalPage("customer/developers"),
    usesApollo: true,
  },
  {
    path: paths.updateProfile,
    access: { kind: "private" },
    page: portalPage("customer/update-profile"),
    usesApollo: true,
  },
  {
    path: paths.sessions,
    access: { kind: "private" },
    page: portalPage("customer/sessions"),
    usesApollo: true,
  },
  {
    path: paths.personalAccessTokens,
    access: { kind: "private" },
    page: portalPage("customer/personal-access-tokens"),
    usesApollo: true,
  },
  {
    path: paths.twoStepSignIn,
    access: { kind: "private" },
    page: portalPage("customer/two-step-sign-in"),
    usesApollo: true,
  },
  {
    path: paths.yourData,
    access: customers,
    page: portalPage("customer/your-data"),
    usesApollo: true,
  },
  {
    path: paths.webhooks,
    access: { kind: "private" },
    page: portalPage("customer/webhooks"),
    usesApollo: true,
  },
  {
    path: paths.webhookEndpoint,
    access: { kind: "private" },
    page: portalPage("customer/webhook-endpoint"),
    usesApollo: true,
  },
  {
    path: paths.taxInvoices,
    access: payers,
    page: portalPage("customer/tax-invoices"),
    usesApollo: true,
  },
  {
    path: paths.activatedDevices,
    access: { kind: "private" },
    page: portalPage("customer/manage-activated-devices"),
    usesApollo: true,
  },
  {
    path: paths.offlineActivation,
    access: customers,
    page: portalPage("customer/offline-activation"),
    usesApollo: true,
  },
  {
    path: paths.licenceHistory,
    access: { kind: "private" },
    page: portalPage("customer/licence-history"),
    usesApollo: true,
  },
  {
    path: paths.seats,
    access: { kind: "private" },
    page: portalPage("customer/seats"),
    usesApollo: true,
  },
  {
    path: paths.activate,
    access: customers,
    page: portalPage("customer/activate"),
    usesApollo: true,
  },
  { path: paths.viewAs, access: everybody, page: lazyPage(() => import("#web/pages/admin/view-as.tsx")) },
  {
    path: paths.managePromoCodes,
    access: staff,
    page: portalPage("admin/manage-promo-codes"),
    usesApollo: true,
  },
  { path: admin, access: admins, page: portalPage("admin/admin"), usesApollo: true },
  {
    path: paths.attention,
    access: staff,
    page: portalPage("admin/attention"),
    usesApollo: true,
  },
  {
    path: paths.dashboard,
    access: staff,
    page: portalPage("admin/dashboard"),
    usesApollo: true,
  },
  {
    path: paths.dashboardList,
    access: staff,
    page: portalPage("admin/dashboard-list"),
    usesApollo: true,
  },
  {
    path: paths.securityEvents,
    access: staff,
    page: portalPage("admin/security-events"),
    usesApollo: true,
  },
  {
    path: paths.auditLog,
    access: staff,
    page: portalPage("admin/audit-log"),
    usesApollo: true,
  },
  {
    path: paths.plans,
    access: staff,
    page: portalPage("admin/plans"),
    usesApollo: true,
  },
  {
    path: paths.tax,
    access: staff,
    page: portalPage("admin/tax"),
    usesApollo: true,
  },
  {
    path: paths.reports,
    access: staff,
    page: portalPage("admin/reports"),
    usesApollo: true,
  },
  {
    path: paths.reportFile,
    access: staff,
    page: portalPage("admin/report-file"),
    usesApollo: true,
  },
  {
    path: paths.manageSoftware,
    access: staff,
    page: portalPage("admin/manage-software"),
    usesApollo: true,
  },
  {
    path: paths.manageUsers,
    access: admins,
    page: portalPage("admin/manage-users"),
    usesApollo: true,
  },
  {
    path: paths.createUser,
    access: staff,
    page: portalPage("admin/create-user"),
    usesApollo: true,
  },
  {
    path: paths.updateUser,
    access: staff,
    page: portalPage("admin/update-user"),
    usesApollo: true,
  },
  {
    path: paths.bulkWork,
    access: staff,
    page: portalPage("admin/bulk-work"),
    usesApollo: true,
  },
  {
    path: paths.newBulkRun,
    access: staff,
    page: portalPage("admin/new-bulk-run"),
    usesApollo: true,
  },
  {
    path: paths.bulkRun,
    access: staff,
    page: portalPage("admin/bulk-run"),
    usesApollo: true,
  },
];
