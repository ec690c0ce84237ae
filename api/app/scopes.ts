// oxlint-disable max-lines -- one table, so that what a token reaches is read in one place
import { permissions } from "./permissions.ts";
import type { Actor } from "#api/platform/context.ts";
import { refuseBeyondScopes, type ScopeRule } from "#api/platform/token-scopes.ts";

/**
 * What each row of `api/app/permissions.ts` (but `Type.*`) asks of a personal access token: a scope, or all of several; `open`
 * asks for nothing, as visitors may ask; `session` is closed to every token: signing in, passwords, sessions, two-step
 * sign-in, tokens themselves, paying, what is decided once, deleting accounts, viewing as a customer, and work on many
 * rows at a time. The process refuses to start when a row is missing or left over. What only reads never asks for a
 * `:write`, and what changes something never for a `:read`.
 */
export const scopeRules: Readonly<Record<string, ScopeRule>> = {
  // Accounts
  "Query.me": "profile:read",
  "Query.user": "users:read",
  "Query.users": "users:read",
  "Query.emailConfirmation": "session",
  "Mutation.register": "session",
  "Mutation.confirmEmail": "session",
  "Mutation.resendConfirmationEmail": "session",
  "Mutation.changeUnconfirmedEmail": "session",
  "Mutation.updateProfile": "session",
  "UpdateProfileResult.user": "session",
  "Query.isResetTokenValid": "session",
  "Mutation.requestPasswordReset": "session",
  "Mutation.resetPassword": "session",
  "Mutation.changePassword": "session",
  "User.cancellationPendingSince": "users:read",
  "User.contacts": "users:read",
  "User.blockedMachines": "users:read",
  "User.licences": "licences:read",
  "User.hasActiveSubscription": "billing:read",
  "UserPage.rows": "users:read",
  "Mutation.archiveUser": "users:write",
  "Mutation.restoreUser": "users:write",
  "POST /v1/users/filter": "users:read",
  "PATCH /v1/users/:id/archive": "users:write",
  "POST /v1/core/accounts": "session",
  "POST /v1/core/accounts/confirm-email": "session",
  "PATCH /v1/core/accounts/check-confirmation/:handle": "session",
  "GET /v1/core/accounts/resend-confirmation-email/:handle": "session",
  "POST /v1/core/accounts/resend-confirmation-email/:handle": "session",
  "PUT /v1/core/accounts/change-email-address": "session",
  "GET /v1/core/accounts/:userId/profile/settings": "profile:read",
  "GET /v1/core/accounts/:userId/profile": "profile:read",
  "PUT /v1/core/accounts/update-profile": "session",
  "GET /v1/core/accounts/my-data": "session",
  "Mutation.deleteMyAccount": "session",
  "Query.erasure": "users:read",
  "Mutation.eraseUser": "session",
  "Erasure.userId": "users:read",
  "Erasure.progress": "users:read",
  "Erasure.certificate": "users:read",
  "ErasureCertificate.erased": "users:read",
  "ErasureCertificate.kept": "users:read",
  "PATCH /v1/core/accounts/:email/password/reset/request": "session",
  "POST /v1/core/accounts/token/validate": "session",
  "POST /v1/core/accounts/password/reset": "session",
  "POST /v1/core/accounts/password/change": "session",

  // Users as staff create and change them
  "Mutation.createUser": "users:write",
  "Mutation.updateUser": "users:write",
  "Query.userChanges": "users:read",
  "Mutation.resetDeactivationCounter": "users:write",
  "Mutation.blockMachineOf": "users:write",
  "GET /v1/users/:id": ["users:read", "licences:read"],
  "POST /v1/core/accounts/admin-create-user": "users:write",
  "PUT /v1/users/admin/update-user": "users:write",
  "PATCH /v1/users/reset-deactivation-limit/:userId": "users:write",

  // Signing in and out
  "Mutation.signIn": "session",
  "Mutation.signOut": "session",
  "Mutation.refreshSession": "session",
  "SignInResult.session": "session",
  "SignInResult.secondStep": "session",
  "SecondStep.methods": "session",
  "User.sessions": "session",
  "Mutation.endSession": "session",
  "Mutation.endOtherSessions": "session",
  "Mutation.endSessionsOf": "session",
  "Mutation.viewAsCustomer": "session",
  "POST /v1/core/auth/token": "session",
  "POST /v1/core/auth/revoke": "session",

  // Personal access tokens
  "Query.personalAccessTokens": "session",
  "User.personalAccessTokens": "session",
  "Mutation.createPersonalAccessToken": "session",
  "CreatePersonalAccessTokenResult.token": "session",
  "Mutation.revokePersonalAccessToken": "session",

  // Two-step sign-in; what an admin needs to set it up is open to a session that may do nothing else
  "Mutation.completeSignIn": "session",
  "Mutation.beginPasskeySignIn": "session",
  "Query.twoStepSignIn": "session",
  "TwoStepState.passkeys": "session",
  "Mutation.beginAuthenticatorApp": "session",
  "Mutation.confirmAuthenticatorApp": "session",
  "Mutation.beginPasskey": "session",
  "Mutation.addPasskey": "session",
  "Mutation.beginPasskeyProof": "session",
  "Mutation.removeAuthenticatorApp": "session",
  "Mutation.removePasskey": "session",
  "Mutation.renewRecoveryCodes": "session",
  "Mutation.turnOffTwoStepSignIn": "session",
  "User.twoStepSince": "users:read",
  "Mutation.clearTwoStepSignIn": "session",

  // Licences and devices
  "Query.licence": "licences:read",
  "Query.licenceBySupportCode": "licences:read",
  "Mutation.deactivateDevice": "licences:write",
  "Licence.owner": "users:read",
  "Licence.devices": "licences:read",
  "Licence.recentlyFreed": "licences:read",
  "Licence.deactivationAllowance": "licences:read",
  "Licence.leases": "licences:read",
  "Lease.device": "licences:read",
  "Licence.events": "licences:read",
  "Device.events": "licences:read",
  "LicenceEventPage.rows": "licences:read",
  "LicenceEvent.ip": "licences:read",
  "Mutation.activateOffline": "licences:write",
  "ActivateOfflineResult.device": "licences:write",
  "GET /v1/licence/:id": "licences:read",
  "GET /v1/licence/machines/:licenceId": "licences:read",
  "PUT /v1/licence/machine/:tempId/deactivate": "licences:write",

  // Licences and seats, the admin's side
  "Mutation.addLicence": "licences:write",
  "Mutation.updateLicence": "licences:write",
  "Mutation.deactivateLicence": "licences:write",
  "Mutation.freeSeat": "licences:write",
  "Licence.seatDenials": "licences:read",
  "POST /v1/admin/licence": "licences:write",
  "PUT /v1/admin/licence/:userId/:licenceId": "licences:write",
  "DELETE /v1/admin/licence/:userId/:licenceId": "licences:write",

  // Reports
  "POST /v1/reports/download-licence-code-report": "reports:read",
  "POST /v1/reports/download-report": "reports:read",
  "Query.reportPreview": "reports:read",
  "ReportPreview.columns": "reports:read",
  "Query.reportSeries": "reports:read",
  "ReportSeries.points": "reports:read",

  // Subscriptions
  "Query.subscriptionStatus": "billing:read",
  "Query.cardEntry": "session",
  "Mutation.confirmSubscription": "session",
  "Mutation.subscribe": "session",
  "Mutation.completeSubscription": "session",
  "Mutation.cancelSubscription": "session",
  "Mutation.resumeSubscription": "session",
  "Mutation.confirmSubscriptionChange": "session",
  "Mutation.changeSubscription": "session",
  "Mutation.keepPresentPlan": "session",
  "Mutation.updatePaymentDetails": "session",
  "Subscription.planPrice": "billing:read",
  "Subscription.nextPlanPrice": "billing:read",
  "SubscriptionStatus.subscription": "billing:read",
  "SubscriptionStatus.products": "billing:read",
  "SubscriptionProduct.planPrice": "billing:read",
  "GET /v1/subscriptions/subscription-status": "billing:read",
  "POST /v1/subscriptions/confirm-subscription": "session",
  "POST /v1/subscriptions/create-subscription": "session",
  "PATCH /v1/subscriptions/cancel-subscription": "session",
  "PATCH /v1/subscriptions/resume-subscription": "session",
  "PATCH /v1/subscriptions/update-payment-details": "session",
  "PUT /v1/subscriptions/confirm-update-subscription/:productId": "session",
  "PUT /v1/subscriptions/update-subscription/:productId": "session",

  // Trials
  "Query.trialEligibility": "billing:read",
  "Mutation.startTrial": "session",
  "TrialEligibility.licence": "licences:read",
  "GET /v1/subscriptions/check-trial": "billing:read",
  "GET /v1/subscriptions/create-trial": "session",
  "POST /v1/subscriptions/create-trial": "session",

  // Plans, promo codes, tax invoices
  "Query.plans": "open",
  "Query.priceQuote": "billing:read",
  "Plan.prices": "open",
  "Mutation.applyPromoCode": "session",
  "POST /v1/promoCode/validate": "session",
  "Query.taxInvoices": "billing:read",
  "User.invoices": "billing:read",
  "Mutation.updateInvoiceDetails": "session",
  "GET /v1/taxInvoice": "billing:read",
  "GET /v1/taxInvoice/:id/download": "billing:read",
  "GET /v1/admin/taxInvoice/:id/download": "billing:read",

  // Promo codes, staff's side
  "Query.promoCodes": "promo-codes:read",
  "Mutation.addPromoCode": "promo-codes:write",
  "Mutation.updatePromoCode": "promo-codes:write",
  "Query.promoCodeChanges": "promo-codes:read",
  "Mutation.deletePromoCode": "promo-codes:write",
  "GET /v1/promoCode": "promo-codes:read",
  "POST /v1/promoCode": "promo-codes:write",
  "PUT /v1/promoCode": "promo-codes:write",
  "DELETE /v1/promoCode/:id": "promo-codes:write",

  // Contacts and comments
  "Mutation.addContact": "users:write",
  "Mutation.updateContact": "users:write",
  "Query.contactChanges": "users:read",
  "Mutation.deleteContact": "users:write",
  "POST /v1/users/contact": "users:write",
  "PUT /v1/users/contact": "users:write",
  "DELETE /v1/users/contact/:userId/:contactId": "users:write",
  "User.comments": "users:read",
  "Mutation.addComment": "users:write",
  "POST /v1/comments/get": "users:read",
  "POST /v1/comments/add": "users:write",

  // Builds of the add-in
  "Query.installer": "software:read",
  "Query.installers": "software:read",
  "Query.softwareChannels": "software:read",
  "Mutation.setMinimumAddInVersion": "software:write",
  "SoftwareChannel.offered": "software:read",
  "SoftwareChannel.previous": "software:read",
  "Query.softwareBuilds": "software:read",
  "Query.softwareBuild": "software:read",
  "SoftwareBuildPage.rows": "software:read",
  "SoftwareBuild.files": "software:read",
  "SoftwareBuild.manifestUrl": "software:read",
  "SoftwareBuild.downloads": "software:read",
  "Mutation.publishSoftware": "software:write",
  "Mutation.rollBackSoftware": "software:write",
  "Mutation.withdrawSoftware": "software:write",
  "Mutation.deleteSoftwareDraft": "software:write",
  "GET /v1/software/update": "open",
  "Mutation.uploadSoftware": "software:write",
  "POST /v1/software/upload": "software:write",

  // Contact form
  "Mutation.sendContactMessage": "session",
  "POST /v1/contact-us/send": "session",

  // Address suggestions
  "Query.addressSuggestions": "open",
  "Query.addressSearchFindsStreets": "open",
  "Query.suggestedAddress": "open",
  "AddressSuggestion.parts": "open",

  // What needs attention, the search of everything, the audit log, the timeline of a user
  "Query.attention": "reports:read",
  "Query.attentionList": "reports:read",
  "AttentionPage.rows": "reports:read",
  "AttentionRow.user": "users:read",

  // The dashboard and the lists behind its figures
  "Query.dashboard": "reports:read",
  "Dashboard.trials": "reports:read",
  "Dashboard.subscriptions": "reports:read",
  "Dashboard.activity": "reports:read",
  "Dashboard.versions": "reports:read",
  "Dashboard.expiring": "reports:read",
  "DashboardTrials.started": "reports:read",
  "DashboardTrials.converted": "reports:read",
  "DashboardTrials.course": "reports:read",
  "DashboardSubscriptions.active": "reports:read",
  "DashboardSubscriptions.monthlyCents": "reports:read",
  "DashboardSubscriptions.plans": "reports:read",
  "DashboardSubscriptions.begun": "reports:read",
  "DashboardSubscriptions.ended": "reports:read",
  "DashboardSubscriptions.churned": "reports:read",
  "DashboardSubscriptions.begunCourse": "reports:read",
  "DashboardSubscriptions.endedCourse": "reports:read",
  "DashboardActivity.activations": "reports:read",
  "DashboardActivity.validations": "reports:read",
  "DashboardActivity.refusals": "reports:read",
  "DashboardActivity.blocked": "reports:read",
  "DashboardActivity.course": "reports:read",
  "DashboardActivity.days": "reports:read",
  "DashboardVersions.versions": "reports:read",
  "DashboardExpiring.course": "reports:read",
  "Query.dashboardList": "reports:read",
  "DashboardPage.rows": "reports:read",
  "DashboardRow.user": "users:read",
  "Query.search": "users:read",
  "SearchResult.hits": "users:read",
  "Query.auditLog": "reports:read",
  "Query.auditActors": "reports:read",
  "Query.auditActions": "reports:read",
  "AuditPage.rows": "reports:read",
  "AuditEntry.changes": "reports:read",
  "AuditEntry.user": "users:read",
  "User.timeline": "users:read",
  "TimelinePage.rows": "users:read",
  "TimelineEntry.changes": "users:read",

  // The add-in's protocol
  "POST /v1/licence/activate": "open",
  "POST /v1/licence/validate": "open",
  "POST /v1/licence/lease": "open",
  "POST /v1/licence/heartbeat": "open",
  "POST /v1/licence/release": "open",
  "POST /v1/licence/usage": "open",
  "POST /v1/licence/deactivate": "open",
  "POST /v1/licence/offline": "licences:write",
  "GET /v1/licence/signing-keys": "open",
  "GET /v1/licence/sandbox/signing-keys": "open",
  "POST /v1/licence/device-authorization": "open",
  "POST /v1/licence/device-authorization/token": "open",
  "POST /v1/licence/move/code": "open",
  "POST /v1/licence/move/devices": "open",

  // Saved and scheduled reports
  "Query.savedReports": "reports:read",
  "Mutation.saveReport": "session",
  "Mutation.updateSavedReport": "session",
  "Mutation.deleteSavedReport": "session",
  "Query.reportFile": "session",
  "POST /v1/reports/download-file": "session",

  // Bulk work
  "Query.bulkRuns": "session",
  "Query.bulkRun": "session",
  "Mutation.openBulkRun": "session",
  "Mutation.startBulkRun": "session",
  "Mutation.cancelBulkRun": "session",
  "BulkRunPage.rows": "session",
  "BulkRun.rows": "session",
  "BulkRun.terms": "session",
  "BulkRowPage.rows": "session",
  "BulkRow.faults": "session",
  "POST /v1/admin/bulk-runs": "session",
  "GET /v1/admin/bulk-runs/:id/result": "session",

  // Sign-in activation, the customer's side
  "Query.deviceAuthorization": "session",
  "Mutation.confirmDeviceAuthorization": "session",
  "Mutation.denyDeviceAuthorization": "session",

  // Webhooks
  "Query.webhookEndpoints": "webhooks:read",
  "Query.webhookEndpoint": "webhooks:read",
  "WebhookEndpoint.deliveries": "webhooks:read",
  "WebhookDeliveryPage.rows": "webhooks:read",
  "WebhookDelivery.attempts": "webhooks:read",
  "WebhookEndpointSecret.endpoint": "webhooks:write",
  "Mutation.addWebhookEndpoint": "webhooks:write",
  "Mutation.updateWebhookEndpoint": "webhooks:write",
  "Mutation.deleteWebhookEndpoint": "webhooks:write",
  "Mutation.rollWebhookSecret": "webhooks:write",
  "Mutation.sendTestWebhook": "webhooks:write",
  "Mutation.replayWebhookDelivery": "webhooks:write",
};

/** Rows of the permissions that have no rule here, and rules whose row is gone; empty when the two are one. */
export function scopeFaults(): string[] {
  const rows = Object.keys(permissions).filter((row) => !row.endsWith(".*"));
  return [
    ...rows.filter((row) => scopeRules[row] === undefined).map((row) => `${row} has no scope`),
    ...Object.keys(scopeRules)
      .filter((row) => !rows.includes(row))
      .map((row) => `${row} has a scope but no permission`),
  ];
}

/**
 * Refuses to a personal access token what its scopes do not cover: each row that is asked for.
 * @throws AppError FORBIDDEN of {@link refuseBeyondScopes}.
 */
export function refuseToTokens(rows: readonly string[], actor: Actor | null): void {
  if (!actor?.token) return;
  refuseBeyondScopes(
    rows.map((row) => scopeRules[row]),
    actor,
  );
}
