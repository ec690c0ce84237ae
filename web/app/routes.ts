import { type Access, everybody, type RouteEntry } from "#web/platform/route-entry.ts";
import { rememberProductIntent, rememberTrialIntent } from "#web/platform/landing.ts";
import { lazyPage } from "#web/platform/lazy-page.ts";
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

const signedIn: Access = { kind: "private" };

/** Returns the route of a page for signed-in users. Visitors don't load the list of these files. */
const signedInPage = (path: RouteEntry["path"], access: Access, name: PortalPageName): RouteEntry => ({
  path,
  access,
  page: lazyPage(async () => (await import("./portal-pages.ts")).portalPages[name]()),
  usesApollo: true,
});

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
  signedInPage(paths.changePassword, signedIn, "customer/change-password"),
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
  { path: paths.quote, access: everybody, page: lazyPage(() => import("#web/pages/public/quote.tsx")) },
  signedInPage(paths.trial, triallers, "public/try"),
  signedInPage(myAccount, customers, "customer/my-account"),
  signedInPage(paths.manageSubscription, payers, "customer/manage-subscription"),
  signedInPage(paths.manageSubscriptionTo, subscribers, "public/manage-subscription-to"),
  signedInPage(paths.managePaymentDetails, payers, "customer/manage-payment-details"),
  signedInPage(paths.changeSubscription, payers, "customer/change-subscription"),
  {
    path: paths.subscribeLink,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/subscribe-link.tsx")),
  },
  signedInPage(paths.licences, customers, "customer/licences"),
  signedInPage(paths.security, signedIn, "customer/security"),
  signedInPage(paths.developers, signedIn, "customer/developers"),
  signedInPage(paths.updateProfile, signedIn, "customer/update-profile"),
  signedInPage(paths.sessions, signedIn, "customer/sessions"),
  signedInPage(paths.personalAccessTokens, signedIn, "customer/personal-access-tokens"),
  signedInPage(paths.twoStepSignIn, signedIn, "customer/two-step-sign-in"),
  signedInPage(paths.yourData, customers, "customer/your-data"),
  signedInPage(paths.webhooks, signedIn, "customer/webhooks"),
  signedInPage(paths.webhookEndpoint, signedIn, "customer/webhook-endpoint"),
  signedInPage(paths.taxInvoices, customers, "customer/tax-invoices"),
  signedInPage(paths.activatedDevices, signedIn, "customer/manage-activated-devices"),
  signedInPage(paths.offlineActivation, customers, "customer/offline-activation"),
  signedInPage(paths.licenceHistory, signedIn, "customer/licence-history"),
  signedInPage(paths.seats, signedIn, "customer/seats"),
  signedInPage(paths.activate, customers, "customer/activate"),
  { path: paths.viewAs, access: everybody, page: lazyPage(() => import("#web/pages/admin/view-as.tsx")) },
  signedInPage(paths.managePromoCodes, staff, "admin/manage-promo-codes"),
  signedInPage(admin, admins, "admin/admin"),
  signedInPage(paths.attention, staff, "admin/attention"),
  signedInPage(paths.dashboard, staff, "admin/dashboard"),
  signedInPage(paths.dashboardList, staff, "admin/dashboard-list"),
  signedInPage(paths.securityEvents, staff, "admin/security-events"),
  signedInPage(paths.adminSeats, staff, "admin/seats"),
  signedInPage(paths.auditLog, staff, "admin/audit-log"),
  signedInPage(paths.adminInvoices, staff, "admin/invoices"),
  signedInPage(paths.subscriptions, staff, "admin/subscriptions"),
  signedInPage(paths.plans, staff, "admin/plans"),
  signedInPage(paths.tax, staff, "admin/tax"),
  signedInPage(paths.reports, staff, "admin/reports"),
  signedInPage(paths.reportFile, staff, "admin/report-file"),
  signedInPage(paths.manageSoftware, staff, "admin/manage-software"),
  signedInPage(paths.manageUsers, admins, "admin/manage-users"),
  signedInPage(paths.createUser, staff, "admin/create-user"),
  signedInPage(paths.updateUser, staff, "admin/update-user"),
  signedInPage(paths.bulkWork, staff, "admin/bulk-work"),
  signedInPage(paths.newBulkRun, staff, "admin/new-bulk-run"),
  signedInPage(paths.bulkRun, staff, "admin/bulk-run"),
];
