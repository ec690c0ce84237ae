import { brand } from "#schema/brand.ts";

type ParamsOf<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

/** A path of the portal: the router's pattern, and the URL with its parameters filled in. */
export interface AppPath<Pattern extends string = string> {
  readonly pattern: Pattern;
  href(...params: [ParamsOf<Pattern>] extends [never] ? [] : [Record<ParamsOf<Pattern>, string>]): string;
}

function path<const Pattern extends `/${string}`>(pattern: Pattern): AppPath<Pattern> {
  return {
    pattern,
    href: (...[params]) =>
      pattern.replace(/:(\w+)/g, (_, name: string) => {
        const values = params as Record<string, string> | undefined;
        return encodeURIComponent(values?.[name] ?? "");
      }),
  };
}

const { segment } = brand;

/** Every path of the portal. Matching ignores case and the trailing slash. */
export const paths = {
  home: path("/"),
  solutionsAndServices: path(`/${segment}solutions-and-services/`),
  weAre: path(`/we-are-${segment}solutions/`),
  projectIntegration: path(`/${segment}solutions-project-integration-services/`),
  projectControls: path(`/${segment}solutions-project-controls-specialist-services/`),
  services: path(`/${segment}-services/`),
  schedulingSupport: path(`/${segment}-scheduling-support-services/`),
  scheduleConversion: path(`/${segment}-schedule-conversion-services/`),
  products: path("/product/"),
  product: path("/product/:productId/"),
  trialAndSubscribe: path("/trial-and-subscribe/"),
  resources: path("/resources-and-support/"),
  userGuide: path("/resources-and-support/user-guide/"),
  tutorials: path("/resources-and-support/installation-support-tutorials/"),
  knowledgeBase: path("/resources-and-support/knowledge-base/"),
  developerGuide: path("/docs/"),
  developerGuideTopic: path("/docs/:topic/"),
  restApi: path("/v1/docs/"),
  faqs: path("/faqs/"),
  news: path("/news/"),
  legals: path("/legals/"),
  terms: path("/terms-and-conditions/"),
  privacy: path("/privacy-policy/"),
  register: path("/register/"),
  login: path("/login/"),
  logout: path("/logout/"),
  contactUs: path("/contact-us/"),
  forgotPassword: path("/forgot-password/"),
  resetPassword: path("/reset-password/"),
  changePassword: path("/change-password/"),
  emailConfirmation: path("/email-confirmation/:userId/"),
  confirmEmail: path("/confirm-email/"),
  quote: path("/quote/"),
  undoEmailChange: path("/undo-email-change/"),
  myAccount: path("/my-account/"),
  licences: path("/licences/"),
  security: path("/security/"),
  developers: path("/developers/"),
  updateProfile: path("/update-profile/"),
  sessions: path("/sessions/"),
  personalAccessTokens: path("/personal-access-tokens/"),
  twoStepSignIn: path("/two-step-sign-in/"),
  yourData: path("/your-data/"),
  webhooks: path("/webhooks/"),
  webhookEndpoint: path("/webhooks/:endpointId/"),
  taxInvoices: path("/tax-invoices/"),
  trial: path(`/try-${segment}/`),
  manageSubscription: path("/manage-subscription/"),
  manageSubscriptionTo: path("/manage-subscription/:productId/"),
  managePaymentDetails: path("/manage-payment-details/"),
  changeSubscription: path("/change-subscription/"),
  subscribeLink: path("/product/subscribe/:product/"),
  activatedDevices: path("/manage-activated-devices/:licenceId/:userId/"),
  offlineActivation: path("/offline-activation/"),
  licenceHistory: path("/licence-history/:licenceId/"),
  activate: path("/activate/"),
  seats: path("/seats/:licenceId/"),
  admin: path("/admin/"),
  attention: path("/admin/attention/:list/"),
  dashboard: path("/admin/dashboard/"),
  dashboardList: path("/admin/dashboard/:list/"),
  manageUsers: path("/admin/manage-users/"),
  createUser: path("/admin/create-user/"),
  updateUser: path("/admin/update-user/:id/"),
  managePromoCodes: path("/admin/manage-promo-codes/"),
  adminSeats: path("/admin/seats/"),
  auditLog: path("/admin/audit-log/"),
  securityEvents: path("/admin/security-events/"),
  manageSoftware: path("/admin/manage-software/"),
  bulkWork: path("/admin/bulk-work/"),
  reports: path("/admin/reports-page/"),
  adminInvoices: path("/admin/invoices/"),
  tax: path("/admin/tax/"),
  subscriptions: path("/admin/subscriptions/"),
  plans: path("/admin/plans/"),
  reportFile: path("/admin/report-file/"),
  viewAs: path("/view-as/"),
  newBulkRun: path("/admin/bulk-work/new/"),
  bulkRun: path("/admin/bulk-work/:id/"),
  maintenance: path("/pages/maintenance"),
  error403: path("/pages/error-403"),
  error404: path("/pages/error-404"),
  error500: path("/pages/error-500"),
} as const;

/** The schema explorer is a separate page with its own build, not a route of the portal. */
export const schemaExplorer = "/playground/";

/** Returns the URL of the sign-in page, which returns to `returnUrl` afterwards. */
export function loginHref(returnUrl: string): string {
  return `${paths.login.href()}?returnUrl=${encodeURIComponent(returnUrl)}`;
}
