import type { PageFacts } from "#web/platform/paths.ts";
import type { ComponentType } from "react";
import type { PageAccess } from "./page-access.ts";

export type LoadPage = (() => Promise<{ default: ComponentType }>) & { source?: string };

/** Returns a function that creates the rows of pages with an access. */
function grant(access: PageAccess) {
  return <const Path extends string, const More extends Omit<PageFacts, "path" | "title" | "roles">>(
    path: Path,
    title: string,
    load: LoadPage | null,
    more?: More,
  ) => ({ path, access, title, load, ...more });
}

const everyone = grant("everyone");
const visitors = grant("visitors");
const resetters = grant("resetters");
const customers = grant("customers");
const triallers = grant("triallers");
const signedIn = grant("signedIn");
const payers = grant("payers");
const subscribers = grant("subscribers");
const admins = grant("admins");
const staff = grant("staff");

/**
 * Every page: address, who may open it, heading, file, and its place in menus. Longer than 300 lines, because it is one
 * table. Router, `paths`, header, footer, side navigation, Admin page, search and prerendering follow from it.
 * `npm run generate` writes what lower folders need, with the staff roles of the operation in `needs`, to
 * `web/generated/pages.ts`. `{segment}`, `{name}` and `{productName}` stand for the brand.
 */
export const pages = {
  // Public pages, in the order of the footer.
  home: everyone("/", "Home", () => import("#web/site/home/home-page.tsx")),
  solutionsAndServices: everyone(
    "/{segment}solutions-and-services/",
    "Solutions and Services",
    () => import("#web/site/services/solutions-and-services-page.tsx"),
    { header: "Services", footer: "Services" },
  ),
  weAre: everyone("/we-are-{segment}solutions/", "We are {name}", () => import("#web/site/company/we-are-page.tsx"), {
    under: "solutionsAndServices",
    footer: "Services",
  }),
  projectIntegration: everyone(
    "/{segment}solutions-project-integration-services/",
    "Project Integration Services",
    () => import("#web/site/services/project-integration-page.tsx"),
    { under: "solutionsAndServices", footer: "Services" },
  ),
  projectControls: everyone(
    "/{segment}solutions-project-controls-specialist-services/",
    "Project Controls Specialist Services",
    () => import("#web/site/services/project-controls-page.tsx"),
    { under: "solutionsAndServices", footer: "Services" },
  ),
  services: everyone("/{segment}-services/", "Services", () => import("#web/site/services/services-page.tsx"), {
    header: "Services",
    footer: "Services",
  }),
  schedulingSupport: everyone(
    "/{segment}-scheduling-support-services/",
    "Scheduling Support Services",
    () => import("#web/site/services/scheduling-support-page.tsx"),
    { under: "services", footer: "Services" },
  ),
  scheduleConversion: everyone(
    "/{segment}-schedule-conversion-services/",
    "Schedule Conversion Services",
    () => import("#web/site/services/schedule-conversion-page.tsx"),
    { under: "services", footer: "Services" },
  ),
  products: everyone("/product/", "Product", () => import("#web/site/products/products-page.tsx"), {
    header: "always",
    footer: "Product",
    footerName: "{productName}",
  }),
  product: everyone("/product/:productId/", "Product", () => import("#web/site/products/product-details.tsx"), {
    hasFixedPaths: true,
    footer: "Product",
    footerLinks: { Professional: "{segment}-professional", "Plus+": "{segment}-plus", Standard: "{segment}-standard" },
  }),
  addIn: everyone("/add-in/", "The Add-in", () => import("#web/site/add-in/add-in-page.tsx"), { footer: "Product" }),
  sampleConversion: everyone(
    "/sample-conversion/",
    "Sample Conversion",
    () => import("#web/site/sample/sample-conversion-page.tsx"),
    { footer: "Product" },
  ),
  trialAndSubscribe: everyone(
    "/trial-and-subscribe/",
    "Trial & Subscribe",
    () => import("#web/site/products/trial-and-subscribe-page.tsx"),
    { header: "always", footer: "Product" },
  ),
  news: everyone("/news/", "News", () => import("#web/site/company/news-timeline.tsx"), { footer: "Product" }),
  resources: everyone(
    "/resources-and-support/",
    "Resources & Support",
    () => import("#web/site/support/resources-and-support-page.tsx"),
    { header: "wide", footer: "Support" },
  ),
  tutorials: everyone(
    "/resources-and-support/installation-support-tutorials/",
    "Tutorials",
    () => import("#web/site/tutorials/tutorials-page.tsx"),
    { footer: "Support" },
  ),
  userGuide: everyone(
    "/resources-and-support/user-guide/",
    "User Guide",
    () => import("#web/site/support/user-guide-page.tsx"),
    { footer: "Support" },
  ),
  faqs: everyone("/faqs/", "FAQs", () => import("#web/site/faqs/faqs-page.tsx"), { footer: "Support" }),
  knowledgeBase: everyone(
    "/resources-and-support/knowledge-base/",
    "Knowledge Base",
    () => import("#web/site/support/knowledge-base-page.tsx"),
    { footer: "Support" },
  ),
  knowledgeBaseArticle: everyone(
    "/resources-and-support/knowledge-base/:article/",
    "Knowledge Base",
    () => import("#web/site/support/knowledge-base-article-page.tsx"),
    { hasFixedPaths: true },
  ),
  schemaExplorer: everyone("/playground/", "Schema explorer", null, { footer: "Developers", isOtherBuild: true }),
  developerGuide: everyone(
    "/docs/",
    "Developer Guide",
    () => import("#web/site/rest-reference/developer-guide-page.tsx"),
    { footer: "Developers" },
  ),
  developerGuideTopic: everyone(
    "/docs/:topic/",
    "Developer Guide",
    () => import("#web/site/rest-reference/developer-guide-page.tsx"),
    { hasFixedPaths: true },
  ),
  restApi: everyone("/v1/docs/", "REST API", () => import("#web/site/rest-reference/rest-reference.tsx"), {
    footer: "Developers",
  }),
  legals: everyone("/legals/", "Legals", () => import("#web/site/legal-text/legals-page.tsx"), {
    header: "wide",
    footer: "Legal",
  }),
  terms: everyone(
    "/terms-and-conditions/",
    "Terms and Conditions",
    () => import("#web/site/legal-text/terms-and-conditions-page.tsx"),
    { footer: "Legal" },
  ),
  privacy: everyone(
    "/privacy-policy/",
    "Privacy Policy",
    () => import("#web/site/legal-text/privacy-policy-page.tsx"),
    { footer: "Legal" },
  ),
  contactUs: everyone("/contact-us/", "Contact", () => import("#web/messaging/contact-form/contact-us-page.tsx"), {
    header: "wide",
    footer: "Support",
  }),
  // Signing in and links in emails. Both confirmation pages check access themselves, because users can change their email while signed in.
  login: visitors("/login/", "Login", () => import("#web/access/sessions/login-page.tsx"), { account: "visitors" }),
  register: visitors("/register/", "Register", () => import("#web/access/accounts/register-form.tsx"), {
    account: "visitors",
  }),
  forgotPassword: visitors(
    "/forgot-password/",
    "Forgot Password",
    () => import("#web/access/accounts/forgot-password-form.tsx"),
  ),
  resetPassword: resetters(
    "/reset-password/",
    "Reset password",
    () => import("#web/access/accounts/reset-password.tsx"),
  ),
  emailConfirmation: everyone(
    "/email-confirmation/:userId/",
    "Email confirmation",
    () => import("#web/access/accounts/email-confirmation-panel.tsx"),
  ),
  confirmEmail: everyone("/confirm-email/", "Confirm email", () => import("#web/access/accounts/confirm-email.tsx")),
  undoEmailChange: everyone(
    "/undo-email-change/",
    "Undo email change",
    () => import("#web/access/accounts/undo-email-change.tsx"),
  ),
  notMe: everyone("/not-me/", "This wasn't me", () => import("#web/access/sessions/not-me.tsx")),
  quote: everyone("/quote/", "Quote", () => import("#web/billing/quotes/quote-page.tsx")),
  subscribeLink: everyone(
    "/product/subscribe/:product/",
    "Subscribe",
    () => import("#web/billing/subscriptions/subscribe-link-page.tsx"),
  ),

  // Account. The pages with an icon make the side navigation of customers; the others belong to the page they are `under`.
  myAccount: customers("/my-account/", "My Account", () => import("#web/billing/subscriptions/my-account-page.tsx"), {
    name: "Overview",
    icon: "IconHome",
    account: "signedIn",
    accountName: "View My Account",
  }),
  trial: triallers("/try-{segment}/", "Trial Professional", () => import("#web/licensing/trials/trial.tsx"), {
    under: "myAccount",
  }),
  licences: customers("/licences/", "Licences", () => import("#web/licensing/licences/licences-page.tsx"), {
    icon: "IconLicense",
  }),
  activatedDevices: signedIn(
    "/manage-activated-devices/:licenceId/:userId/",
    "Manage Activated Devices",
    () => import("#web/licensing/devices/activated-devices-page.tsx"),
    { under: "licences" },
  ),
  licenceHistory: signedIn(
    "/licence-history/:licenceId/",
    "Licence history",
    () => import("#web/licensing/licences/licence-history.tsx"),
    { under: "licences" },
  ),
  seats: signedIn("/seats/:licenceId/", "Seats", () => import("#web/licensing/leases/seats-page.tsx"), {
    under: "licences",
  }),
  activate: customers(
    "/activate/",
    "Activate a device",
    () => import("#web/licensing/device-authorizations/sign-in-activation.tsx"),
    { under: "licences" },
  ),
  offlineActivation: customers(
    "/offline-activation/",
    "Offline activation",
    () => import("#web/licensing/devices/offline-activation.tsx"),
    { under: "licences" },
  ),
  manageSubscription: payers(
    "/manage-subscription/",
    "Manage Subscription",
    () => import("#web/billing/subscriptions/manage-subscription.tsx"),
    { name: "Billing", icon: "IconCreditCard" },
  ),
  manageSubscriptionTo: subscribers(
    "/manage-subscription/:productId/",
    "Manage Subscription",
    () => import("#web/billing/subscriptions/manage-subscription.tsx"),
    { under: "manageSubscription" },
  ),
  managePaymentDetails: payers(
    "/manage-payment-details/",
    "Manage Payment Details",
    () => import("#web/billing/subscriptions/payment-details-form.tsx"),
    { name: "Update Card", under: "manageSubscription" },
  ),
  changeSubscription: payers(
    "/change-subscription/",
    "Change Subscription",
    () => import("#web/billing/subscriptions/change-subscription.tsx"),
    { name: "Change Plan", under: "manageSubscription" },
  ),
  taxInvoices: customers(
    "/tax-invoices/",
    "Tax Invoices",
    () => import("#web/billing/invoices/tax-invoices-page.tsx"),
    { name: "Invoices", icon: "IconFileInvoice" },
  ),
  updateProfile: signedIn("/update-profile/", "Update profile", () => import("#web/access/accounts/profile-form.tsx"), {
    name: "Profile",
    icon: "IconUser",
  }),
  security: signedIn("/security/", "Security", () => import("#web/access/sessions/security-page.tsx"), {
    icon: "IconShieldLock",
  }),
  sessions: signedIn("/sessions/", "Active sessions", () => import("#web/access/sessions/sessions.tsx"), {
    under: "security",
    account: "signedIn",
  }),
  developers: signedIn("/developers/", "Developers", () => import("#web/webhooks/endpoints/developers-page.tsx"), {
    icon: "IconCode",
  }),
  webhookEndpoint: signedIn(
    "/webhooks/:endpointId/",
    "Webhook endpoint",
    () => import("#web/webhooks/endpoints/webhook-endpoint.tsx"),
    { under: "developers" },
  ),

  // Admin pages, in the order of their navigation, with the tiles of the Admin page and what the search says.
  admin: admins("/admin/", "Admin", () => import("#web/staff/admin/admin-page.tsx"), {
    name: "Home",
    icon: "IconHome",
    found: "What needs attention",
  }),
  attention: staff("/admin/attention/:list/", "Attention", () => import("#web/staff/attention/attention-table.tsx"), {
    under: "admin",
    needs: "Query.attention",
  }),
  manageUsers: admins("/admin/manage-users/", "Manage Users", () => import("#web/staff/users/manage-users-page.tsx"), {
    name: "Users",
    icon: "IconUsers",
    needs: "Query.users",
    tileName: "Manage Users",
    tile: "Find, create, edit and archive users.",
    found: "Find, edit and archive customers and staff",
  }),
  createUser: staff("/admin/create-user/", "Create User", () => import("#web/staff/users/create-user-form.tsx"), {
    under: "manageUsers",
    needs: "Mutation.createUser",
    found: "Add an account by hand",
  }),
  updateUser: staff("/admin/update-user/:id/", "Update User", () => import("#web/staff/users/update-user-page.tsx"), {
    under: "manageUsers",
    needs: "Query.user",
    tabs: {
      overview: { label: "Overview" },
      details: { label: "User Details" },
      contacts: { label: "Contacts", needs: "User.contacts" },
      licences: { label: "Licences", needs: "User.licences", isForCustomers: true },
      billing: { label: "Billing", needs: "User.billingSubscriptions", isForCustomers: true },
      comments: { label: "Comments", needs: "User.comments" },
      "sign-in": { label: "Sign-In", needs: "User.sessions" },
      history: { label: "History", needs: "User.timeline" },
    },
  }),
  subscriptions: staff(
    "/admin/subscriptions/",
    "Subscriptions",
    () => import("#web/billing/subscriptions/subscriptions-table.tsx"),
    { icon: "IconCreditCard", needs: "Query.billingSubscriptions", found: "Renewals and overdue payments" },
  ),
  adminInvoices: staff("/admin/invoices/", "Invoices", () => import("#web/billing/invoices/all-invoices.tsx"), {
    icon: "IconFileInvoice",
    needs: "Query.invoices",
    found: "All invoices and adjustment notes",
  }),
  tax: staff("/admin/tax/", "Tax", () => import("#web/billing/tax/tax-page.tsx"), {
    icon: "IconReceiptTax",
    needs: "Query.taxSummary",
    found: "GST summary, revenue and cash",
  }),
  plans: staff("/admin/plans/", "Plans", () => import("#web/billing/prices/plans-page.tsx"), {
    icon: "IconTag",
    needs: "Query.allPlans",
    found: "Prices, and plans on sale",
  }),
  managePromoCodes: staff(
    "/admin/manage-promo-codes/",
    "Manage Promo Codes",
    () => import("#web/billing/promo-codes/promo-codes-table.tsx"),
    {
      name: "Promo Codes",
      icon: "IconDiscount2",
      needs: "Query.promoCodes",
      tile: "Add, edit and delete discounts.",
      found: "Add and change discounts",
      action: {
        name: "Add a promo code",
        search: "?action=add",
        found: "Offer a discount",
        needs: "Mutation.addPromoCode",
      },
    },
  ),
  reports: staff("/admin/reports-page/", "Reports", () => import("#web/staff/reports/reports-page.tsx"), {
    icon: "IconFileSpreadsheet",
    needs: "Query.savedReports",
    tile: "Preview, download and schedule reports.",
    found: "Preview, download and schedule",
  }),
  reportFile: staff(
    "/admin/report-file/",
    "Download report",
    () => import("#web/staff/saved-reports/report-file.tsx"),
    { under: "reports", needs: "Query.reportFile" },
  ),
  dashboard: staff("/admin/dashboard/", "Dashboard", () => import("#web/staff/dashboard/dashboard.tsx"), {
    icon: "IconLayoutDashboard",
    needs: "Query.dashboard",
    found: "Trials, subscriptions and churn",
  }),
  dashboardList: staff(
    "/admin/dashboard/:list/",
    "Dashboard",
    () => import("#web/staff/dashboard/dashboard-list-page.tsx"),
    { under: "dashboard", needs: "Query.dashboardList" },
  ),
  manageSoftware: staff(
    "/admin/manage-software/",
    "Upload Software",
    () => import("#web/releases/software/manage-software.tsx"),
    {
      name: "Software",
      icon: "IconPackage",
      needs: "Query.softwareBuilds",
      tileName: "Manage Software",
      tile: "Upload, publish and roll back add-in builds.",
      found: "Upload and publish builds",
    },
  ),
  bulkWork: staff("/admin/bulk-work/", "Bulk Work", () => import("#web/staff/bulk/bulk-runs-table.tsx"), {
    icon: "IconStack2",
    needs: "Query.bulkRuns",
    found: "Past imports, extensions and deactivations",
  }),
  newBulkRun: staff("/admin/bulk-work/new/", "New bulk run", () => import("#web/staff/bulk/new-bulk-run.tsx"), {
    under: "bulkWork",
    needs: "Mutation.openBulkRun",
    found: "Import, extend or deactivate from a file",
  }),
  bulkRun: staff("/admin/bulk-work/:id/", "Bulk run", () => import("#web/staff/bulk/bulk-run-details.tsx"), {
    under: "bulkWork",
    needs: "Query.bulkRun",
  }),
  adminSeats: staff("/admin/seats/", "Seats", () => import("#web/licensing/leases/seat-usage-table.tsx"), {
    icon: "IconArmchair",
    needs: "Query.seatUsage",
    found: "Seats in use on concurrent licences",
  }),
  auditLog: staff("/admin/audit-log/", "Audit Log", () => import("#web/staff/audit-log/audit-log.tsx"), {
    icon: "IconHistory",
    needs: "Query.auditLog",
    found: "Changes by staff",
  }),
  securityEvents: staff(
    "/admin/security-events/",
    "Security Events",
    () => import("#web/staff/security-events/security-events.tsx"),
    { icon: "IconShieldExclamation", needs: "Query.securityEvents", found: "Sign-ins, refusals and exports" },
  ),
  status: staff("/admin/status/", "Status", () => import("#web/staff/status/status-page.tsx"), {
    icon: "IconHeartbeat",
    needs: "Query.installationStatus",
    found: "Version, queues, backups, email and database",
  }),

  // Pages of customers and admins that the Admin page offers too.
  changePassword: signedIn(
    "/change-password/",
    "Change Password",
    () => import("#web/access/accounts/change-password-form.tsx"),
    { icon: "IconKey", under: "security", tile: "Change the password you sign in with.", found: "Your own password" },
  ),
  twoStepSignIn: signedIn(
    "/two-step-sign-in/",
    "Two-step sign-in",
    () => import("#web/access/two-step/two-step-sign-in.tsx"),
    {
      icon: "IconShieldLock",
      under: "security",
      found: "Authenticator app or passkeys for your account",
      account: "signedIn",
    },
  ),
  personalAccessTokens: signedIn(
    "/personal-access-tokens/",
    "Personal access tokens",
    () => import("#web/access/personal-access-tokens/personal-access-tokens.tsx"),
    { icon: "IconCode", under: "developers", found: "Let scripts use the API on your behalf" },
  ),
  webhooks: signedIn("/webhooks/", "Webhooks", () => import("#web/webhooks/endpoints/endpoints-table.tsx"), {
    icon: "IconWebhook",
    under: "developers",
    found: "Send events to your own systems",
  }),

  // Last in the menus of an account.
  yourData: customers("/your-data/", "Your data", () => import("#web/privacy/your-data/download-my-data.tsx"), {
    icon: "IconDatabaseExport",
    account: "customers",
  }),
  logout: everyone("/logout/", "Logout", () => import("#web/access/sessions/logout-page.tsx"), { account: "signedIn" }),
  viewAs: everyone("/view-as/", "View as customer", () => import("#web/access/sessions/view-as-page.tsx")),

  // Errors. Pages without a file are part of the shell (router.tsx).
  maintenance: everyone("/pages/maintenance", "We lost the connection", null),
  error403: everyone("/pages/error-403", "This is awkward...", () => import("#web/ui/errors/error-403.tsx")),
  error404: everyone("/pages/error-404", "Page Not Found", () => import("#web/ui/errors/error-404.tsx")),
  error500: everyone("/pages/error-500", "Good on ya, you broke it!", null),
};

export type PageName = keyof typeof pages;

/** Page for every address without a row: a content page by its name, or the 404 page. */
export const loadContentPage: LoadPage = () => import("#web/app/content-page.tsx");

/** Content pages with a layout of their own, by name. They have no row, because the lookup finds them by their content. */
export const namedContentPages: Readonly<Record<string, LoadPage>> = {
  support: () => import("#web/site/support/support-page.tsx"),
  "not-found": () => import("#web/site/errors/not-found-page.tsx"),
};
