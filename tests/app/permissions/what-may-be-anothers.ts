import { randomUUID } from "node:crypto";
import { testPassword } from "#tests/factories/user.ts";

/** Role of a caller who requests a foreign resource. */
export type Asker = "regular" | "corporate" | "admin";

/** Kinds of resources that may belong to another user. */
export type Foreign =
  | "user"
  | "licence"
  | "device"
  | "invoice"
  | "session"
  | "contact"
  | "savedReport"
  | "endpoint"
  | "delivery"
  | "accessToken";

/** A REST call with the id of a resource that may belong to another user in its path. */
export interface RestCase {
  readonly who: readonly Asker[];
  readonly of: Foreign;
  readonly body?: object;
  /** Path parameter other than the foreign one. */
  readonly pair?: string;
}

const customers = ["regular", "corporate"] as const;
const reason = { machineName: `nowhere-${randomUUID()}`, reason: "Device change" };
const terms = { expiryDate: "2030-01-01", licenceCategory: 1, purchaseOrderNumber: "", projectTerm: "" };

/** Every REST call with the id of a resource that may belong to another user. */
export const restCases: Readonly<Record<string, RestCase>> = {
  "GET /v1/licence/:id": { who: customers, of: "user" },
  "GET /v1/licence/machines/:licenceId": { who: customers, of: "licence" },
  "PUT /v1/licence/machine/:tempId/deactivate": { who: customers, of: "device", body: reason },
  "GET /v1/core/accounts/:userId/profile/settings": { who: customers, of: "user" },
  "GET /v1/core/accounts/:userId/profile": { who: customers, of: "user" },
  "GET /v1/taxInvoice/:id/download": { who: ["regular"], of: "invoice" },
  "PUT /v1/admin/licence/:userId/:licenceId": { who: ["admin"], of: "licence", body: terms, pair: ":userId" },
  "DELETE /v1/admin/licence/:userId/:licenceId": { who: ["admin"], of: "licence", pair: ":userId" },
  "DELETE /v1/users/contact/:userId/:contactId": { who: ["admin"], of: "contact", pair: ":userId" },
};

/** REST calls whose ids belong to no user, or to resources shared by all permitted callers. */
export const sharedAddresses = [
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
  readonly who: readonly Asker[];
  readonly of: Foreign;
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
  "Query.licence": { who: customers, of: "licence", document: "{ licence(id: ID) { id } }" },
  "Mutation.deactivateDevice": {
    who: customers,
    of: "device",
    document: `mutation { deactivateDevice(input: { deviceId: ID, reason: "Device change" }) { code } }`,
  },
  "Mutation.endSession": { who: ["regular", "admin"], of: "session", document: "mutation { endSession(id: ID) }" },
  "Mutation.removePasskey": {
    who: ["regular"],
    of: "session",
    document: `mutation { removePasskey(id: ID, proof: ${proof}) }`,
  },
  "Mutation.completeSubscription": {
    who: ["regular"],
    of: "licence",
    document: "mutation { completeSubscription(id: ID) { state } }",
  },
  "Mutation.confirmDeviceAuthorization": {
    who: customers,
    of: "licence",
    document: 'mutation { confirmDeviceAuthorization(input: { userCode: "CODE", licenceId: ID }) { __typename } }',
  },
  "Query.webhookEndpoint": {
    who: customers,
    of: "endpoint",
    document: "{ webhookEndpoint(id: ID) { id } }",
  },
  "Mutation.updateWebhookEndpoint": {
    who: ["regular", "admin"],
    of: "endpoint",
    document: `mutation { updateWebhookEndpoint(id: ID, input: ${endpoint}) { id } }`,
  },
  "Mutation.deleteWebhookEndpoint": {
    who: ["regular", "admin"],
    of: "endpoint",
    document: "mutation { deleteWebhookEndpoint(id: ID) }",
  },
  "Mutation.rollWebhookSecret": {
    who: ["regular", "admin"],
    of: "endpoint",
    document: "mutation { rollWebhookSecret(id: ID) { secret } }",
  },
  "Mutation.sendTestWebhook": {
    who: ["regular", "admin"],
    of: "endpoint",
    document: "mutation { sendTestWebhook(id: ID) { id } }",
  },
  "Mutation.replayWebhookDelivery": {
    who: ["regular", "admin"],
    of: "delivery",
    document: "mutation { replayWebhookDelivery(id: ID) { id } }",
  },
  "Mutation.revokePersonalAccessToken": {
    who: customers,
    of: "accessToken",
    document: "mutation { revokePersonalAccessToken(id: ID) { id } }",
  },
  "Query.contactChanges": {
    who: ["admin"],
    of: "contact",
    document: "{ contactChanges(id: ID, userId: PAIR, since: 1) { __typename } }",
  },
  "Mutation.updateContact": {
    who: ["admin"],
    of: "contact",
    document: `mutation { updateContact(id: ID, userId: PAIR, input: ${contact}) { id } }`,
  },
  "Mutation.deleteContact": {
    who: ["admin"],
    of: "contact",
    document: "mutation { deleteContact(id: ID, userId: PAIR) }",
  },
  "Mutation.updateLicence": {
    who: ["admin"],
    of: "licence",
    document: `mutation { updateLicence(licenceId: ID, userId: PAIR, input: ${licenceTerms}) { id } }`,
  },
  "Mutation.deactivateLicence": {
    who: ["admin"],
    of: "licence",
    document: "mutation { deactivateLicence(licenceId: ID, userId: PAIR) { id } }",
  },
  "Mutation.blockMachineOf": {
    who: ["admin"],
    of: "device",
    document: "mutation { blockMachineOf(deviceId: ID, userId: PAIR) { id } }",
  },
  "Mutation.updateSavedReport": {
    who: ["admin"],
    of: "savedReport",
    document: `mutation { updateSavedReport(id: ID, input: ${savedReport}) { id } }`,
  },
  "Mutation.deleteSavedReport": {
    who: ["admin"],
    of: "savedReport",
    document: "mutation { deleteSavedReport(id: ID) }",
  },
};

/** Root fields whose ids refer to resources shared by all permitted callers, such as plans, or any resource for admins. */
export const sharedFields = [
  "Query.priceQuote",
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
  "Mutation.publishSoftware",
  "Mutation.resetDeactivationCounter",
  "Mutation.restoreUser",
  "Mutation.rollBackSoftware",
  "Mutation.startBulkRun",
  "Mutation.updatePromoCode",
  "Mutation.updateUser",
  "Mutation.viewAsCustomer",
  "Mutation.withdrawSoftware",
  "Query.auditLog",
];
