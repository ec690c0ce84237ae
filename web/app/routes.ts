import { type Access, everybody } from "./access.ts";
import { rememberProduct, rememberTrialIntent } from "./landing.ts";
import { lazyPage } from "./lazy-page.ts";
import { paths } from "./paths.ts";
import { publicRoutes } from "./public-routes.ts";
import type { RouteEntry } from "./route-entry.ts";

const { admin, home, myAccount } = paths;

const visitors: Access = { kind: "signed-out" };
const customers: Access = { kind: "private", elsewhere: { admin: admin.href() } };
/** Money is for type 1; the others are led home (spec, public §6). */
const payers = { kind: "private", elsewhere: { corporate: home.href(), admin: admin.href() } } as const;
const triallers: Access = { ...payers, signedOut: rememberTrialIntent };
const subscribers: Access = { ...payers, signedOut: ({ productId }) => rememberProduct(productId ?? "") };
/** The admin pages but the first two lead others home (DOMAIN §7). */
const staff: Access = { kind: "private", elsewhere: { regular: home.href(), corporate: home.href() } };
const admins: Access = { kind: "private", elsewhere: { regular: myAccount.href(), corporate: myAccount.href() } };

/** Every page that loads on demand. The error pages come with the shell and stand in router.tsx. */
export const routes: readonly RouteEntry[] = [
  ...publicRoutes,
  { path: paths.register, access: visitors, page: lazyPage(() => import("#web/pages/public/register.tsx")) },
  { path: paths.login, access: visitors, page: lazyPage(() => import("#web/pages/public/login.tsx")) },
  { path: paths.contactUs, access: everybody, page: lazyPage(() => import("#web/pages/public/contact-us.tsx")) },
  { path: paths.logout, access: everybody, page: lazyPage(() => import("#web/pages/public/logout.tsx")) },
  // Both confirmation pages guard themselves: changing one's address begins and may end while signed in.
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
    page: lazyPage(() => import("#web/pages/customer/change-password.tsx")),
    data: true,
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
  { path: paths.trial, access: triallers, page: lazyPage(() => import("#web/pages/public/try.tsx")), data: true },
  {
    path: myAccount,
    access: customers,
    page: lazyPage(() => import("#web/pages/customer/my-account.tsx")),
    data: true,
  },
  {
    path: paths.manageSubscription,
    access: payers,
    page: lazyPage(() => import("#web/pages/customer/manage-subscription.tsx")),
    data: true,
  },
  {
    path: paths.manageSubscriptionTo,
    access: subscribers,
    page: lazyPage(() => import("#web/pages/public/manage-subscription-to.tsx")),
    data: true,
  },
  {
    path: paths.managePaymentDetails,
    access: payers,
    page: lazyPage(() => import("#web/pages/customer/manage-payment-details.tsx")),
    data: true,
  },
  {
    path: paths.changeSubscription,
    access: payers,
    page: lazyPage(() => import("#web/pages/customer/change-subscription.tsx")),
    data: true,
  },
  {
    path: paths.subscribeLink,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/subscribe-link.tsx")),
  },
  {
    path: paths.updateProfile,
    access: { kind: "private" },
    page: lazyPage(() => import("#web/pages/customer/update-profile.tsx")),
    data: true,
  },
  {
    path: paths.sessions,
    access: { kind: "private" },
    page: lazyPage(() => import("#web/pages/customer/sessions.tsx")),
    data: true,
  },
  {
    path: paths.twoStepSignIn,
    access: { kind: "private" },
    page: lazyPage(() => import("#web/pages/customer/two-step-sign-in.tsx")),
    data: true,
  },
  {
    path: paths.yourData,
    access: customers,
    page: lazyPage(() => import("#web/pages/customer/your-data.tsx")),
    data: true,
  },
  {
    path: paths.taxInvoices,
    access: payers,
    page: lazyPage(() => import("#web/pages/customer/tax-invoices.tsx")),
    data: true,
  },
  {
    path: paths.activatedDevices,
    access: { kind: "private" },
    page: lazyPage(() => import("#web/pages/customer/manage-activated-devices.tsx")),
    data: true,
  },
  {
    path: paths.offlineActivation,
    access: customers,
    page: lazyPage(() => import("#web/pages/customer/offline-activation.tsx")),
    data: true,
  },
  {
    path: paths.licenceHistory,
    access: { kind: "private" },
    page: lazyPage(() => import("#web/pages/customer/licence-history.tsx")),
    data: true,
  },
  {
    path: paths.seats,
    access: { kind: "private" },
    page: lazyPage(() => import("#web/pages/customer/seats.tsx")),
    data: true,
  },
  {
    path: paths.activate,
    access: customers,
    page: lazyPage(() => import("#web/pages/customer/activate.tsx")),
    data: true,
  },
  { path: paths.viewAs, access: everybody, page: lazyPage(() => import("#web/pages/admin/view-as.tsx")) },
  {
    path: paths.managePromoCodes,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/manage-promo-codes.tsx")),
    data: true,
  },
  { path: admin, access: admins, page: lazyPage(() => import("#web/pages/admin/admin.tsx")), data: true },
  {
    path: paths.attention,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/attention.tsx")),
    data: true,
  },
  {
    path: paths.dashboard,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/dashboard.tsx")),
    data: true,
  },
  {
    path: paths.dashboardList,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/dashboard-list.tsx")),
    data: true,
  },
  {
    path: paths.auditLog,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/audit-log.tsx")),
    data: true,
  },
  {
    path: paths.reports,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/reports.tsx")),
    data: true,
  },
  {
    path: paths.reportFile,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/report-file.tsx")),
    data: true,
  },
  {
    path: paths.manageSoftware,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/manage-software.tsx")),
    data: true,
  },
  {
    path: paths.manageUsers,
    access: admins,
    page: lazyPage(() => import("#web/pages/admin/manage-users.tsx")),
    data: true,
  },
  {
    path: paths.createUser,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/create-user.tsx")),
    data: true,
  },
  {
    path: paths.updateUser,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/update-user.tsx")),
    data: true,
  },
  {
    path: paths.bulkWork,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/bulk-work.tsx")),
    data: true,
  },
  {
    path: paths.newBulkRun,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/new-bulk-run.tsx")),
    data: true,
  },
  {
    path: paths.bulkRun,
    access: staff,
    page: lazyPage(() => import("#web/pages/admin/bulk-run.tsx")),
    data: true,
  },
];
