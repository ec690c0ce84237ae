import type { PageFacts } from "#web/platform/paths.ts";
import type { ComponentType } from "react";
import type { PageAccess } from "./page-access.ts";

export type LoadPage = (() => Promise<{ default: ComponentType }>) & { source?: string };

function page<const Path extends string, const More extends Omit<PageFacts, "path" | "title" | "roles">>(
  path: Path,
  access: PageAccess,
  title: string,
  load: LoadPage | null,
  more?: More,
) {
  return { path, access, title, load, ...more };
}

/**
 * Every page: address, who may open it, heading, file, and its place in menus. Longer than 300 lines, because it is one table. Router, `paths`, header, footer,
 * side navigation, Admin page, search and prerendering follow from it. `npm run generate` writes what lower folders need,
 * with the staff roles of the operation in `needs`, to `web/generated/pages.ts`. `{segment}`, `{name}` and `{productName}`
 * stand for the brand.
 */
export const pages = {
  // Public pages, in the order of the footer.
  home: page("/", "everyone", "Home", () => import("#web/site/home/home-page.tsx")),
  solutionsAndServices: page(
    "/{segment}solutions-and-services/",
    "everyone",
    "Solutions and Services",
    () => import("#web/site/services/solutions-and-services-page.tsx"),
    { header: "Services", footer: "Services" },
  ),
  weAre: page(
    "/we-are-{segment}solutions/",
    "everyone",
    "We are {name}",
    () => import("#web/site/company/we-are-page.tsx"),
    { under: "solutionsAndServices", footer: "Services" },
  ),
  projectIntegration: page(
    "/{segment}solutions-project-integration-services/",
    "everyone",
    "Project Integration Services",
    () => import("#web/site/services/project-integration-page.tsx"),
    { under: "solutionsAndServices", footer: "Services" },
  ),
  projectControls: page(
    "/{segment}solutions-project-controls-specialist-services/",
    "everyone",
    "Project Controls Specialist Services",
    () => import("#web/site/services/project-controls-page.tsx"),
    { under: "solutionsAndServices", footer: "Services" },
  ),
  services: page("/{segment}-services/", "everyone", "Services", () => import("#web/site/services/services-page.tsx"), {
    header: "Services",
    footer: "Services",
  }),
  schedulingSupport: page(
    "/{segment}-scheduling-support-services/",
    "everyone",
    "Scheduling Support Services",
    () => import("#web/site/services/scheduling-support-page.tsx"),
    { under: "services", footer: "Services" },
  ),
  scheduleConversion: page(
    "/{segment}-schedule-conversion-services/",
    "everyone",
    "Schedule Conversion Services",
    () => import("#web/site/services/schedule-conversion-page.tsx"),
    { under: "services", footer: "Services" },
  ),
  products: page("/product/", "everyone", "Product", () => import("#web/site/products/products-page.tsx"), {
    header: "always",
    footer: "Product",
    footerName: "{productName}",
  }),
  product: page("/product/:productId/", "everyone", "Product", () => import("#web/site/products/product-details.tsx"), {
    hasFixedPaths: true,
    footer: "Product",
    footerLinks: { Professional: "{segment}-professional", "Plus+": "{segment}-plus", Standard: "{segment}-standard" },
  }),
  addIn: page("/add-in/", "everyone", "The Add-in", () => import("#web/site/add-in/add-in-page.tsx"), {
    footer: "Product",
  }),
  sampleConversion: page(
    "/sample-conversion/",
    "everyone",
    "Sample Conversion",
    () => import("#web/site/sample/sample-conversion-page.tsx"),
    { footer: "Product" },
  ),
  trialAndSubscribe: page(
    "/trial-and-subscribe/",
    "everyone",
    "Trial & Subscribe",
    () => import("#web/site/products/trial-and-subscribe-page.tsx"),
    { header: "always", footer: "Product" },
  ),
  news: page("/news/", "everyone", "News", () => import("#web/site/company/news-timeline.tsx"), { footer: "Product" }),
  resources: page(
    "/resources-and-support/",
    "everyone",
    "Resources & Support",
    () => import("#web/site/support/resources-and-support-page.tsx"),
    { header: "wide", footer: "Support" },
  ),
  tutorials: page(
    "/resources-and-support/installation-support-tutorials/",
    "everyone",
    "Tutorials",
    () => import("#web/site/tutorials/tutorials-page.tsx"),
    { footer: "Support" },
  ),
  userGuide: page(
    "/resources-and-support/user-guide/",
    "everyone",
    "User Guide",
    () => import("#web/site/support/user-guide-page.tsx"),
    { footer: "Support" },
  ),
  faqs: page("/faqs/", "everyone", "FAQs", () => import("#web/site/faqs/faqs-page.tsx"), { footer: "Support" }),
  knowledgeBase: page(
    "/resources-and-support/knowledge-base/",
    "everyone",
    "Knowledge Base",
    () => import("#web/site/support/knowledge-base-page.tsx"),
    { footer: "Support" },
  ),
  knowledgeBaseArticle: page(
    "/resources-and-support/knowledge-base/:article/",
    "everyone",
    "Knowledge Base",
    () => import("#web/site/support/knowledge-base-article-page.tsx"),
    { hasFixedPaths: true },
  ),
  schemaExplorer: page("/playground/", "everyone", "Schema explorer", null, {
    footer: "Developers",
    isOtherBuild: true,
  }),
  developerGuide: page(
    "/docs/",
    "everyone",
    "Developer Guide",
    () => import("#web/site/rest-reference/developer-guide-page.tsx"),
    { footer: "Developers" },
  ),
  developerGuideTopic: page(
    "/docs/:topic/",
    "everyone",
    "Developer Guide",
    () => import("#web/site/rest-reference/developer-guide-page.tsx"),
    { hasFixedPaths: true },
  ),
  restApi: page("/v1/docs/", "everyone", "REST API", () => import("#web/site/rest-reference/rest-reference.tsx"), {
    footer: "Developers",
  }),
  legals: page("/legals/", "everyone", "Legals", () => import("#web/site/legal-text/legals-page.tsx"), {
    header: "wide",
    footer: "Legal",
  }),
  terms: page(
    "/terms-and-conditions/",
    "everyone",
    "Terms and Conditions",
    () => import("#web/site/legal-text/terms-and-conditions-page.tsx"),
    { footer: "Legal" },
  ),
  privacy: page(
    "/privacy-policy/",
    "everyone",
    "Privacy Policy",
    () => import("#web/site/legal-text/privacy-policy-page.tsx"),
    { footer: "Legal" },
  ),
  contactUs: page(
    "/contact-us/",
    "everyone",
    "Contact",
    () => import("#web/messaging/contact-form/contact-us-page.tsx"),
    {
      header: "wide",
      footer: "Support",
    },
  ),
  // Signing in and links in emails. Both confirmation pages check access themselves, because users can change their email while signed in.
  login: page("/login/", "visitors", "Login", () => import("#web/access/sessions/login-page.tsx"), {
    account: "visitors",
  }),
  register: page("/register/", "visitors", "Register", () => import("#web/access/accounts/register-form.tsx"), {
    account: "visitors",
  }),
  forgotPassword: page(
    "/forgot-password/",
    "visitors",
    "Forgot Password",
    () => import("#web/access/accounts/forgot-password-form.tsx"),
  ),
  resetPassword: page(
    "/reset-password/",
    "visitors",
    "Reset password",
    () => import("#web/access/accounts/reset-password.tsx"),
  ),
  emailConfirmation: page(
    "/email-confirmation/:userId/",
    "everyone",
    "Email confirmation",
    () => import("#web/access/accounts/email-confirmation-panel.tsx"),
  ),
  confirmEmail: page(
    "/confirm-email/",
    "everyone",
    "Confirm email",
    () => import("#web/access/accounts/confirm-email.tsx"),
  ),
  undoEmailChange: page(
    "/undo-email-change/",
    "everyone",
    "Undo email change",
    () => import("#web/access/accounts/undo-email-change.tsx"),
  ),
  notMe: page("/not-me/", "everyone", "This wasn't me", () => import("#web/access/sessions/not-me.tsx")),
  quote: page("/quote/", "everyone", "Quote", () => import("#web/billing/quotes/quote-page.tsx")),
  subscribeLink: page(
    "/product/subscribe/:product/",
    "everyone",
    "Subscribe",
    () => import("#web/billing/subscriptions/subscribe-link-page.tsx"),
  ),

  // Account. The pages with an icon make the side navigation of customers; the others belong to the page they are `under`.
  myAccount: page(
    "/my-account/",
    "customers",
    "My Account",
    () => import("#web/billing/subscriptions/my-account-page.tsx"),
    {
      name: "Overview",
      icon: "IconHome",
      account: "signedIn",
      accountName: "View My Account",
    },
  ),
  trial: page("/try-{segment}/", "triallers", "Trial Professional", () => import("#web/licensing/trials/trial.tsx"), {
    under: "myAccount",
  }),
  licences: page("/licences/", "customers", "Licences", () => import("#web/licensing/licences/licences-page.tsx"), {
    icon: "IconLicense",
  }),
  activatedDevices: page(
    "/manage-activated-devices/:licenceId/:userId/",
    "signedIn",
    "Manage Activated Devices",
    () => import("#web/licensing/devices/activated-devices-page.tsx"),
    { under: "licences" },
  ),
  licenceHistory: page(
    "/licence-history/:licenceId/",
    "signedIn",
    "Licence history",
    () => import("#web/licensing/licences/licence-history.tsx"),
    { under: "licences" },
  ),
  seats: page("/seats/:licenceId/", "signedIn", "Seats", () => import("#web/licensing/leases/seats-page.tsx"), {
    under: "licences",
  }),
  activate: page(
    "/activate/",
    "customers",
    "Activate a device",
    () => import("#web/licensing/device-authorizations/sign-in-activation.tsx"),
    {
      under: "licences",
    },
  ),
  offlineActivation: page(
    "/offline-activation/",
    "customers",
    "Offline activation",
    () => import("#web/licensing/devices/offline-activation.tsx"),
    { under: "licences" },
  ),
  manageSubscription: page(
    "/manage-subscription/",
    "payers",
    "Manage Subscription",
    () => import("#web/billing/subscriptions/manage-subscription.tsx"),
    { name: "Billing", icon: "IconCreditCard" },
  ),
  manageSubscriptionTo: page(
    "/manage-subscription/:productId/",
    "subscribers",
    "Manage Subscription",
    () => import("#web/billing/subscriptions/manage-subscription.tsx"),
    { under: "manageSubscription" },
  ),
  managePaymentDetails: page(
    "/manage-payment-details/",
    "payers",
    "Manage Payment Details",
    () => import("#web/billing/subscriptions/payment-details-form.tsx"),
    { name: "Update Card", under: "manageSubscription" },
  ),
  changeSubscription: page(
    "/change-subscription/",
    "payers",
    "Change Subscription",
    () => import("#web/billing/subscriptions/change-subscription.tsx"),
    { name: "Change Plan", under: "manageSubscription" },
  ),
  taxInvoices: page(
    "/tax-invoices/",
    "customers",
    "Tax Invoices",
    () => import("#web/billing/invoices/tax-invoices-page.tsx"),
    { name: "Invoices", icon: "IconFileInvoice" },
  ),
  updateProfile: page(
    "/update-profile/",
    "signedIn",
    "Update profile",
    () => import("#web/access/accounts/profile-form.tsx"),
    { name: "Profile", icon: "IconUser" },
  ),
  security: page("/security/", "signedIn", "Security", () => import("#web/access/sessions/security-page.tsx"), {
    icon: "IconShieldLock",
  }),
  sessions: page("/sessions/", "signedIn", "Active sessions", () => import("#web/access/sessions/sessions.tsx"), {
    under: "security",
    account: "signedIn",
  }),
  developers: page(
    "/developers/",
    "signedIn",
    "Developers",
    () => import("#web/webhooks/endpoints/developers-page.tsx"),
    {
      icon: "IconCode",
    },
  ),
  webhookEndpoint: page(
    "/webhooks/:endpointId/",
    "signedIn",
    "Webhook endpoint",
    () => import("#web/webhooks/endpoints/webhook-endpoint.tsx"),
    { under: "developers" },
  ),

  // Admin pages, in the order of their navigation, with the tiles of the Admin page and what the search says.
  admin: page("/admin/", "admins", "Admin", () => import("#web/staff/admin/admin-page.tsx"), {
    name: "Home",
    icon: "IconHome",
    found: "What needs attention",
  }),
  attention: page(
    "/admin/attention/:list/",
    "staff",
    "Attention",
    () => import("#web/staff/attention/attention-table.tsx"),
    {
      under: "admin",
      needs: "Query.attention",
    },
  ),
  manageUsers: page(
    "/admin/manage-users/",
    "admins",
    "Manage Users",
    () => import("#web/staff/users/manage-users-page.tsx"),
    {
      name: "Users",
      icon: "IconUsers",
      needs: "Query.users",
      tileName: "Manage Users",
      tile: "Find, create, edit and archive users.",
      found: "Find, edit and archive customers and staff",
    },
  ),
  createUser: page(
    "/admin/create-user/",
    "staff",
    "Create User",
    () => import("#web/staff/users/create-user-form.tsx"),
    {
      under: "manageUsers",
      needs: "Mutation.createUser",
      found: "Add an account by hand",
    },
  ),
  updateUser: page(
    "/admin/update-user/:id/",
    "staff",
    "Update User",
    () => import("#web/staff/users/update-user-page.tsx"),
    {
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
    },
  ),
  subscriptions: page(
    "/admin/subscriptions/",
    "staff",
    "Subscriptions",
    () => import("#web/billing/subscriptions/subscriptions-table.tsx"),
    {
      icon: "IconCreditCard",
      needs: "Query.billingSubscriptions",
      found: "Renewals and overdue payments",
    },
  ),
  adminInvoices: page("/admin/invoices/", "staff", "Invoices", () => import("#web/billing/invoices/all-invoices.tsx"), {
    icon: "IconFileInvoice",
    needs: "Query.invoices",
    found: "All invoices and adjustment notes",
  }),
  tax: page("/admin/tax/", "staff", "Tax", () => import("#web/billing/tax/tax-page.tsx"), {
    icon: "IconReceiptTax",
    needs: "Query.taxSummary",
    found: "GST summary, revenue and cash",
  }),
  plans: page("/admin/plans/", "staff", "Plans", () => import("#web/billing/prices/plans-page.tsx"), {
    icon: "IconTag",
    needs: "Query.allPlans",
    found: "Prices, and plans on sale",
  }),
  managePromoCodes: page(
    "/admin/manage-promo-codes/",
    "staff",
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
  reports: page("/admin/reports-page/", "staff", "Reports", () => import("#web/staff/reports/reports-page.tsx"), {
    icon: "IconFileSpreadsheet",
    needs: "Query.savedReports",
    tile: "Preview, download and schedule reports.",
    found: "Preview, download and schedule",
  }),
  reportFile: page(
    "/admin/report-file/",
    "staff",
    "Download report",
    () => import("#web/staff/saved-reports/report-file.tsx"),
    { under: "reports", needs: "Query.reportFile" },
  ),
  dashboard: page("/admin/dashboard/", "staff", "Dashboard", () => import("#web/staff/dashboard/dashboard.tsx"), {
    icon: "IconLayoutDashboard",
    needs: "Query.dashboard",
    found: "Trials, subscriptions and churn",
  }),
  dashboardList: page(
    "/admin/dashboard/:list/",
    "staff",
    "Dashboard",
    () => import("#web/staff/dashboard/dashboard-list-page.tsx"),
    { under: "dashboard", needs: "Query.dashboardList" },
  ),
  manageSoftware: page(
    "/admin/manage-software/",
    "staff",
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
  bulkWork: page("/admin/bulk-work/", "staff", "Bulk Work", () => import("#web/staff/bulk/bulk-runs-table.tsx"), {
    icon: "IconStack2",
    needs: "Query.bulkRuns",
    found: "Past imports, extensions and deactivations",
  }),
  newBulkRun: page("/admin/bulk-work/new/", "staff", "New bulk run", () => import("#web/staff/bulk/new-bulk-run.tsx"), {
    under: "bulkWork",
    needs: "Mutation.openBulkRun",
    found: "Import, extend or deactivate from a file",
  }),
  bulkRun: page("/admin/bulk-work/:id/", "staff", "Bulk run", () => import("#web/staff/bulk/bulk-run-details.tsx"), {
    under: "bulkWork",
    needs: "Query.bulkRun",
  }),
  adminSeats: page("/admin/seats/", "staff", "Seats", () => import("#web/licensing/leases/seat-usage-table.tsx"), {
    icon: "IconArmchair",
    needs: "Query.seatUsage",
    found: "Seats in use on concurrent licences",
  }),
  auditLog: page("/admin/audit-log/", "staff", "Audit Log", () => import("#web/staff/audit-log/audit-log.tsx"), {
    icon: "IconHistory",
    needs: "Query.auditLog",
    found: "Changes by staff",
  }),
  securityEvents: page(
    "/admin/security-events/",
    "staff",
    "Security Events",
    () => import("#web/staff/security-events/security-events.tsx"),
    {
      icon: "IconShieldExclamation",
      needs: "Query.securityEvents",
      found: "Sign-ins, refusals and exports",
    },
  ),
  status: page("/admin/status/", "staff", "Status", () => import("#web/staff/status/status-page.tsx"), {
    icon: "IconHeartbeat",
    needs: "Query.installationStatus",
    found: "Version, queues, backups, email and database",
  }),

  // Pages of customers and admins that the Admin page offers too.
  changePassword: page(
    "/change-password/",
    "signedIn",
    "Change Password",
    () => import("#web/access/accounts/change-password-form.tsx"),
    { icon: "IconKey", under: "security", tile: "Change the password you sign in with.", found: "Your own password" },
  ),
  twoStepSignIn: page(
    "/two-step-sign-in/",
    "signedIn",
    "Two-step sign-in",
    () => import("#web/access/two-step/two-step-sign-in.tsx"),
    {
      icon: "IconShieldLock",
      under: "security",
      found: "Authenticator app or passkeys for your account",
      account: "signedIn",
    },
  ),
  personalAccessTokens: page(
    "/personal-access-tokens/",
    "signedIn",
    "Personal access tokens",
    () => import("#web/access/personal-access-tokens/personal-access-tokens.tsx"),
    {
      icon: "IconCode",
      under: "developers",
      found: "Let scripts use the API on your behalf",
    },
  ),
  webhooks: page("/webhooks/", "signedIn", "Webhooks", () => import("#web/webhooks/endpoints/endpoints-table.tsx"), {
    icon: "IconWebhook",
    under: "developers",
    found: "Send events to your own systems",
  }),

  // Last in the menus of an account.
  yourData: page("/your-data/", "customers", "Your data", () => import("#web/privacy/your-data/download-my-data.tsx"), {
    icon: "IconDatabaseExport",
    account: "customers",
  }),
  logout: page("/logout/", "everyone", "Logout", () => import("#web/access/sessions/logout-page.tsx"), {
    account: "signedIn",
  }),
  viewAs: page("/view-as/", "everyone", "View as customer", () => import("#web/access/sessions/view-as-page.tsx")),

  // Errors. Pages without a file are part of the shell (router.tsx).
  maintenance: page("/pages/maintenance", "everyone", "We lost the connection", null),
  error403: page("/pages/error-403", "everyone", "This is awkward...", () => import("#web/ui/errors/error-403.tsx")),
  error404: page("/pages/error-404", "everyone", "Page Not Found", () => import("#web/ui/errors/error-404.tsx")),
  error500: page("/pages/error-500", "everyone", "Good on ya, you broke it!", null),
};

export type PageName = keyof typeof pages;

/** Page for every address without a row: a content page by its name, or the 404 page. */
export const loadContentPage: LoadPage = () => import("#web/app/content-page.tsx");

/** Content pages with a layout of their own, by name. They have no row, because the lookup finds them by their content. */
export const namedContentPages: Readonly<Record<string, LoadPage>> = {
  support: () => import("#web/site/support/support-page.tsx"),
  "not-found": () => import("#web/site/errors/not-found-page.tsx"),
};
