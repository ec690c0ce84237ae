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

/** A root field with the id of a resource that may belong to another user. */
export interface GraphqlCase {
  readonly callers: readonly CallerRole[];
  readonly resource: ForeignResource;
  readonly document: string;
}

const contact =
  '{ firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+61 7 3000 0000", contactType: 1 }';
const savedReport = '{ name: "Mine", reportType: 1, period: "LAST_7_DAYS", format: "csv", schedule: "NONE" }';
const licenceTerms = '{ expiryDate: "2030-01-01", licenceCategory: 1 }';
const endpoint =
  '{ url: "https://other.example.com/", description: "", eventTypes: ["licence.issued"], enabled: true }';
const proof = `{ password: "${testPassword}" }`;

/** Every root field with the id of a resource that may belong to another user. The test fills in `ID`, `PAIR` and `CODE`. */
export const graphqlCases: Readonly<Record<string, GraphqlCase>> = {
  "Query.licence": { callers: customers, resource: "licence", document: "{ licence(id: ID) { id } }" },
  "Mutation.deactivateDevice": {
    callers: customers,
    resource: "device",
    document: `mutation { deactivateDevice(input: { deviceId: ID, reason: "Device change" }) { code } }`,
  },
  "Mutation.endSession": {
    callers: ["regular", "admin"],
    resource: "session",
    document: "mutation { endSession(id: ID) }",
  },
  "Mutation.removePasskey": {
    callers: ["regular"],
    resource: "session",
    document: `mutation { removePasskey(id: ID, proof: ${proof}) }`,
  },
  "Mutation.completeSubscription": {
    callers: ["regular"],
    resource: "licence",
    document: "mutation { completeSubscription(id: ID) { state } }",
  },
  "Mutation.payInvoice": {
    callers: customers,
    resource: "invoice",
    document: `mutation { payInvoice(input: { invoiceId: ID, expectedBalanceCents: 100, key: "${randomUUID()}" }) { state } }`,
  },
  "Mutation.completeInvoicePayment": {
    callers: customers,
    resource: "invoice",
    document: "mutation { completeInvoicePayment(id: ID) { state } }",
  },
  "Mutation.confirmDeviceAuthorization": {
    callers: customers,
    resource: "licence",
    document: 'mutation { confirmDeviceAuthorization(input: { userCode: "CODE", licenceId: ID }) { __typename } }',
  },
  "Query.webhookEndpoint": {
    callers: customers,
    resource: "endpoint",
    document: "{ webhookEndpoint(id: ID) { id } }",
  },
  "Mutation.updateWebhookEndpoint": {
    callers: ["regular", "admin"],
    resource: "endpoint",
    document: `mutation { updateWebhookEndpoint(id: ID, input: ${endpoint}) { id } }`,
  },
  "Mutation.deleteWebhookEndpoint": {
    callers: ["regular", "admin"],
    resource: "endpoint",
    document: "mutation { deleteWebhookEndpoint(id: ID) }",
  },
  "Mutation.rollWebhookSecret": {
    callers: ["regular", "admin"],
    resource: "endpoint",
    document: "mutation { rollWebhookSecret(id: ID) { secret } }",
  },
  "Mutation.sendTestWebhook": {
    callers: ["regular", "admin"],
    resource: "endpoint",
    document: "mutation { sendTestWebhook(id: ID) { id } }",
  },
  "Mutation.replayWebhookDelivery": {
    callers: ["regular", "admin"],
    resource: "delivery",
    document: "mutation { replayWebhookDelivery(id: ID) { id } }",
  },
  "Mutation.revokePersonalAccessToken": {
    callers: customers,
    resource: "accessToken",
    document: "mutation { revokePersonalAccessToken(id: ID) { id } }",
  },
  "Query.contactChanges": {
    callers: ["admin"],
    resource: "contact",
    document: "{ contactChanges(id: ID, userId: PAIR, since: 1) { __typename } }",
  },
  "Mutation.updateContact": {
    callers: ["admin"],
    resource: "contact",
    document: `mutation { updateContact(id: ID, userId: PAIR, input: ${contact}) { id } }`,
  },
  "Mutation.deleteContact": {
    callers: ["admin"],
    resource: "contact",
    document: "mutation { deleteContact(id: ID, userId: PAIR) }",
  },
  "Mutation.restoreContact": {
    callers: ["admin"],
    resource: "contact",
    document: "mutation { restoreContact(id: ID, userId: PAIR) { id } }",
  },
  "Mutation.updateLicence": {
    callers: ["admin"],
    resource: "licence",
    document: `mutation { updateLicence(licenceId: ID, userId: PAIR, input: ${licenceTerms}) { id } }`,
  },
  "Mutation.deactivateLicence": {
    callers: ["admin"],
    resource: "licence",
    document: "mutation { deactivateLicence(licenceId: ID, userId: PAIR) { id } }",
  },
  "Mutation.changeLicenceSeats": {
    callers: ["admin"],
    resource: "licence",
    document:
      "mutation { changeLicenceSeats(licenceId: ID, userId: PAIR, input: { numberOfUsers: 1, numberOfMachines: 2, allowOnVms: false }) { id } }",
  },
  "Mutation.reinstateLicence": {
    callers: ["admin"],
    resource: "licence",
    document: "mutation { reinstateLicence(licenceId: ID, userId: PAIR) { id } }",
  },
  "Mutation.blockMachineOf": {
    callers: ["admin"],
    resource: "device",
    document: "mutation { blockMachineOf(deviceId: ID, userId: PAIR) { id } }",
  },
  "Mutation.updateSavedReport": {
    callers: ["admin"],
    resource: "savedReport",
    document: `mutation { updateSavedReport(id: ID, input: ${savedReport}) { id } }`,
  },
  "Mutation.deleteSavedReport": {
    callers: ["admin"],
    resource: "savedReport",
    document: "mutation { deleteSavedReport(id: ID) }",
  },
  "Mutation.updateSavedView": {
    callers: ["admin"],
    resource: "savedView",
    document: 'mutation { updateSavedView(id: ID, input: { name: "Mine" }) { id } }',
  },
  "Mutation.deleteSavedView": {
    callers: ["admin"],
    resource: "savedView",
    document: "mutation { deleteSavedView(id: ID) }",
  },
};

/** Root fields whose ids refer to resources shared by all permitted callers, such as plans, or any resource for admins. */
export const sharedFields = [
  "Mutation.setPlanPrice",
  "Mutation.setPlanOnSale",
  "Mutation.moveSubscribers",
  "Query.priceMovePreview",
  "Query.priceQuote",
  "Query.refundPreview",
  "Query.subscriptionActionPreview",
  "Mutation.runSubscriptionAction",
  "Mutation.retryPayment",
  "Mutation.sendUpdateCardLink",
  "Mutation.refundInvoice",
  "Mutation.applyPromoCode",
  "Mutation.confirmSubscription",
  "Mutation.subscribe",
  "Mutation.confirmSubscriptionChange",
  "Mutation.changeSubscription",
  "Query.suggestedAddress",
  "Query.emailConfirmation",
  "Mutation.changeUnconfirmedEmail",
  "Mutation.resendConfirmationEmail",
  "Query.bulkRun",
  "Query.erasure",
  "Query.promoCodeChanges",
  "Query.softwareBuild",
  "Query.user",
  "Query.userChanges",
  "Query.userSummary",
  "Mutation.addComment",
  "Mutation.addContact",
  "Mutation.addLicence",
  "Mutation.archiveUser",
  "Mutation.cancelBulkRun",
  "Mutation.clearTwoStepSignIn",
  "Mutation.deletePromoCode",
  "Mutation.deleteSoftwareDraft",
  "Mutation.endSessionsOf",
  "Mutation.eraseUser",
  "Mutation.freeSeat",
  "Mutation.openBulkRun",
  "Mutation.publishSoftware",
  "Mutation.reportOpenForm",
  "Mutation.requestSoftwarePublishing",
  "Mutation.resetDeactivationCounter",
  "Mutation.resendUserConfirmation",
  "Mutation.restorePromoCode",
  "Mutation.restoreUser",
  "Mutation.rollBackSoftware",
  "Mutation.sendPasswordReset",
  "Mutation.startBulkRun",
  "Mutation.updatePromoCode",
  "Mutation.updateUser",
  "Mutation.viewAsCustomer",
  "Mutation.withdrawSoftware",
  "Query.auditLog",
  "Query.securityEvents",
  "Query.invoices",
  "Query.manualInvoice",
  "Query.invoicePreview",
  "Query.paymentPreview",
  "Query.customerCredit",
  "Mutation.createInvoice",
  "Mutation.updateInvoice",
  "Mutation.discardInvoice",
  "Mutation.issueInvoice",
  "Mutation.voidInvoice",
  "Mutation.recordPayment",
  "Mutation.addCredit",
  "Mutation.sendQuote",
];
