import { randomUUID } from "node:crypto";
import { testPassword } from "#tests/factories/user.ts";

/** Role of a caller who requests a foreign resource. */
export type CallerRole = "regular" | "corporate" | "admin";

/** Kinds of resources that may belong to another user. */
export type ForeignResource =
  | "user"
  | "licence"
  | "device"
  | "invoice"
  | "session"
  | "contact"
  | "savedReport"
  | "savedView"
  | "endpoint"
  | "delivery"
  | "accessToken";

/** A REST call with the id of a resource that may belong to another user in its path. */
export interface RestCase {
  readonly callers: readonly CallerRole[];
  readonly resource: ForeignResource;
  readonly body?: object;
  /** Second path parameter, which doesn't identify the foreign resource. */
  readonly pair?: string;
}

const customers = ["regular", "corporate"] as const;
const reason = { machineName: `nowhere-${randomUUID()}`, reason: "Device change" };
const terms = { expiryDate: "2030-01-01", licenceCategory: 1, purchaseOrderNumber: "", projectTerm: "" };

/** Every REST call with the id of a resource that may belong to another user. */
export const restCases: Readonly<Record<string, RestCase>> = {
  "GET /v1/licence/:id": { callers: customers, resource: "user" },
  "GET /v1/licence/machines/:licenceId": { callers: customers, resource: "licence" },
  "PUT /v1/licence/machine/:tempId/deactivate": { callers: customers, resource: "device", body: reason },
  "GET /v1/core/accounts/:userId/profile/settings": { callers: customers, resource: "user" },
  "GET /v1/core/accounts/:userId/profile": { callers: customers, resource: "user" },
  "GET /v1/taxInvoice/:id/download": { callers: ["regular"], resource: "invoice" },
  "GET /v1/core/accounts/invoices/:id/download": { callers: customers, resource: "invoice" },
  "PUT /v1/admin/licence/:userId/:licenceId": { callers: ["admin"], resource: "licence", body: terms, pair: ":userId" },
  "DELETE /v1/admin/licence/:userId/:licenceId": { callers: ["admin"], resource: "licence", pair: ":userId" },
  "DELETE /v1/users/contact/:userId/:contactId": { callers: ["admin"], resource: "contact", pair: ":userId" },
};

/** REST calls whose ids belong to no user, or to resources shared by all permitted callers. */
export const sharedRoutes = [
  "PATCH /v1/core/accounts/check-confirmation/:handle",
  "GET /v1/core/accounts/resend-confirmation-email/:handle",
  "POST /v1/core/accounts/resend-confirmation-email/:handle",
  "PATCH /v1/core/accounts/:email/password/reset/request",
  "PUT /v1/subscriptions/confirm-update-subscription/:productId",
  "PUT /v1/subscriptions/update-subscription/:productId",
  "PATCH /v1/users/:id/archive",
  "GET /v1/users/:id",
  "PATCH /v1/users/reset-deactivation-limit/:userId",
  "DELETE /v1/promoCode/:id",
  "GET /v1/admin/bulk-runs/:id/result",
  "GET /v1/admin/taxInvoice/:id/download",
];

/**
 * Callers of a root field, the kind of resource its id refers to, and its arguments and selection. The test fills in `ID`,
 * `PAIR` and `CODE`.
 */
export type GraphqlCase = readonly [callers: readonly CallerRole[], resource: ForeignResource, call: string];

const contact =
  '{ firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+61 7 3000 0000", contactType: PROCUREMENT }';
const savedReport = '{ name: "Mine", reportType: USERS, period: LAST_7_DAYS, format: CSV, schedule: NONE }';
const licenceTerms = '{ expiryDate: "2030-01-01", licenceCategory: NONE }';
const endpoint = '{ url: "https://other.example.com/", description: "", eventTypes: [LICENCE_ISSUED], enabled: true }';
const seats = "{ numberOfUsers: 1, numberOfMachines: 2, allowOnVms: false }";
const extension = 'input: { days: 1, reason: "Asked" }, terms: { expiresAt: "2030-01-01" }';
const proof = `{ password: "${testPassword}" }`;
const payment = `{ invoiceId: ID, expectedBalanceCents: 100, key: "${randomUUID()}" }`;
const confirmation = '{ userCode: "CODE", licenceId: ID }';
const since = `"${new Date().toISOString()}"`;

/** Every root field with the id of a resource that may belong to another user. */
export const graphqlCases: Readonly<Record<string, GraphqlCase>> = {
  "Query.licence": [customers, "licence", "(id: ID) { id }"],
  "Mutation.deactivateDevice": [customers, "device", '(input: { deviceId: ID, reason: "Device change" }) { code }'],
  "Mutation.endSession": [["regular", "admin"], "session", "(id: ID) { id }"],
  "Mutation.removePasskey": [["regular"], "session", `(id: ID, proof: ${proof}) { onSince }`],
  "Mutation.completeSubscription": [["regular"], "licence", "(id: ID) { state }"],
  "Mutation.payInvoice": [customers, "invoice", `(input: ${payment}) { state }`],
  "Mutation.completeInvoicePayment": [customers, "invoice", "(id: ID) { state }"],
  "Mutation.confirmDeviceAuthorization": [customers, "licence", `(input: ${confirmation}) { __typename }`],
  "Query.webhookEndpoint": [customers, "endpoint", "(id: ID) { id }"],
  "Mutation.updateWebhookEndpoint": [["regular", "admin"], "endpoint", `(id: ID, input: ${endpoint}) { id }`],
  "Mutation.deleteWebhookEndpoint": [["regular", "admin"], "endpoint", "(id: ID) { id }"],
  "Mutation.rollWebhookSecret": [["regular", "admin"], "endpoint", "(id: ID) { secret }"],
  "Mutation.sendTestWebhook": [["regular", "admin"], "endpoint", "(id: ID) { id }"],
  "Mutation.replayWebhookDelivery": [["regular", "admin"], "delivery", "(id: ID) { id }"],
  "Mutation.replayWebhookEventsSince": [["regular", "admin"], "endpoint", `(id: ID, since: ${since}) { count }`],
  "Mutation.revokePersonalAccessToken": [customers, "accessToken", "(id: ID) { id }"],
  "Query.contactChanges": [["admin"], "contact", "(id: ID, userId: PAIR, since: 1) { __typename }"],
  "Mutation.updateContact": [["admin"], "contact", `(id: ID, userId: PAIR, input: ${contact}) { id }`],
  "Mutation.deleteContact": [["admin"], "contact", "(id: ID, userId: PAIR) { id }"],
  "Mutation.restoreContact": [["admin"], "contact", "(id: ID, userId: PAIR) { id }"],
  "Mutation.updateLicence": [["admin"], "licence", `(licenceId: ID, userId: PAIR, input: ${licenceTerms}) { id }`],
  "Mutation.deactivateLicence": [["admin"], "licence", "(licenceId: ID, userId: PAIR) { id }"],
  "Mutation.changeLicenceSeats": [["admin"], "licence", `(licenceId: ID, userId: PAIR, input: ${seats}) { id }`],
  "Mutation.extendTrial": [["admin"], "licence", `(licenceId: ID, userId: PAIR, ${extension}) { id }`],
  "Mutation.askAboutLicenceUse": [["admin"], "licence", "(licenceId: ID, userId: PAIR) { id }"],
  "Mutation.acceptLicenceUse": [["admin"], "licence", "(licenceId: ID, userId: PAIR) { id }"],
  "Mutation.reissueLicenceCode": [["admin"], "licence", "(licenceId: ID, userId: PAIR) { id }"],
  "Mutation.reinstateLicence": [["admin"], "licence", "(licenceId: ID, userId: PAIR) { id }"],
  "Mutation.blockMachineOf": [["admin"], "device", "(deviceId: ID, userId: PAIR) { id }"],
  "Mutation.updateSavedReport": [["admin"], "savedReport", `(id: ID, input: ${savedReport}) { id }`],
  "Mutation.deleteSavedReport": [["admin"], "savedReport", "(id: ID) { id }"],
  "Mutation.updateSavedView": [["admin"], "savedView", '(id: ID, input: { name: "Mine" }) { id }'],
  "Mutation.deleteSavedView": [["admin"], "savedView", "(id: ID) { id }"],
};

const sharedQueries = `
  accountMerges auditLog billingContact bulkRun customerCredit emailConfirmation erasure invoicePreview invoices
  manualInvoice mergePreview paymentPreview priceMovePreview priceQuote promoCodeChanges refundPreview seatsPreview
  securityEvents softwareBuild subscriptionActionPreview suggestedAddress user userChanges userSummary`;
const sharedMutations = `
  addComment addContact addCredit addLicence addPromoCode addSeats applyPromoCode archiveUser cancelBulkRun
  changeSubscription changeUnconfirmedEmail clearTwoStepSignIn confirmSubscription confirmSubscriptionChange
  createInvoice deletePromoCode deleteSoftwareDraft discardInvoice endSessionsOf eraseUser freeSeat issueInvoice
  mergeAccounts moveSubscribers openBulkRun promoteSoftware publishSoftware recordPayment refundInvoice
  reissueInvoice reportOpenForm requestSoftwarePublishing resendConfirmationEmail resendUserConfirmation
  resetDeactivationCounter restorePromoCode restoreUser retryPayment revertChange rollBackSoftware
  runSubscriptionAction sendInvoiceAgain sendPasswordReset sendQuote sendUpdateCardLink setPlanOnSale setPlanPrice
  setSoftwareVersion startBulkRun subscribe undoMerge updateBillingContact updateInvoice updatePromoCode updateUser
  viewAsCustomer voidInvoice withdrawSoftware`;
const readNames = (names: string) => names.trim().split(/\s+/);

/** Root fields whose ids refer to resources shared by all permitted callers, such as plans, or any resource for admins. */
export const sharedFields = [
  ...readNames(sharedQueries).map((name) => `Query.${name}`),
  ...readNames(sharedMutations).map((name) => `Mutation.${name}`),
];
