// oxlint-disable max-lines -- one table keeps all permissions in one place
import type { Permission, PermissionTable, TypePermission } from "#api/platform/permissions.ts";

/**
 * One row for each root field, each nested field that leads to other rows, and each route, grouped by folder. The
 * audience is repeated in `@Allow(…)` above the method or `allow:` in the route, so widening access takes two edits. A
 * route that shares its function with a GraphQL operation names that operation and has no row here.
 *
 * `scope` is what a personal access token needs: one scope, or every scope in a list. `open` needs no scope; `session`
 * isn't available to tokens. `roles` names the staff roles that may use it, besides owners. `proof` marks the operations that need a recent proof of identity. The server doesn't start while a row is missing, is unused or doesn't match
 * (`check-permissions.ts`).
 */
const operations = {
  // people/addresses
  "Query.addressSuggestions": { audience: "everyone", scope: "open" },
  "Query.addressSearchFindsStreets": { audience: "everyone", scope: "open" },
  "Query.suggestedAddress": { audience: "everyone", scope: "open" },
  "AddressSuggestion.parts": { audience: "everyone", scope: "open" },

  // releases/software
  "Query.installer": { audience: "signedIn", scope: "software:read" },
  "Query.installers": { audience: "signedIn", scope: "software:read" },
  "Query.softwareChannels": { audience: "admin", roles: "all", scope: "software:read" },
  "Query.softwareBuilds": { audience: "admin", roles: "all", scope: "software:read" },
  "Query.softwareBuild": { audience: "admin", roles: "all", scope: "software:read" },
  "Mutation.setMinimumAddInVersion": { audience: "admin", roles: ["release"], scope: "software:write" },
  "Mutation.publishSoftware": { audience: "admin", roles: ["release"], scope: "session", proof: "recent" },
  "Mutation.requestSoftwarePublishing": { audience: "admin", roles: ["release"], scope: "software:write" },
  "Mutation.rollBackSoftware": { audience: "admin", roles: ["release"], scope: "session", proof: "recent" },
  "Mutation.withdrawSoftware": { audience: "admin", roles: ["release"], scope: "software:write" },
  "Mutation.deleteSoftwareDraft": { audience: "admin", roles: ["release"], scope: "software:write" },
  "Mutation.uploadSoftware": { audience: "admin", roles: ["release"], scope: "software:write", proof: "conditional" },
  "SoftwareChannel.offered": { audience: "admin", roles: "all", scope: "software:read" },
  "SoftwareChannel.previous": { audience: "admin", roles: "all", scope: "software:read" },
  "SoftwareBuildPage.rows": { audience: "admin", roles: "all", scope: "software:read" },
  "SoftwareBuild.files": { audience: "admin", roles: "all", scope: "software:read" },
  "SoftwareBuild.manifestUrl": { audience: "admin", roles: "all", scope: "software:read" },
  "SoftwareBuild.manifestToSign": { audience: "admin", roles: "all", scope: "software:read" },
  "SoftwareBuild.downloads": { audience: "admin", roles: "all", scope: "software:read" },
  "GET /v1/software/update": { audience: "everyone", scope: "open" },
  "GET /v1/software/release-keys": { audience: "everyone", scope: "open" },

  // messaging/contact-form
  "Mutation.sendContactMessage": { audience: "everyone", scope: "session" },

  // access/passwords
  "Query.isResetTokenValid": { audience: "everyone", scope: "session" },
  "Mutation.requestPasswordReset": { audience: "everyone", scope: "session" },
  "Mutation.resetPassword": { audience: "everyone", scope: "session" },
  "Mutation.changePassword": { audience: "signedIn", scope: "session", proof: "conditional" },

  // access/personal-access-tokens
  "Query.personalAccessTokens": { audience: "signedIn", scope: "session" },
  "Mutation.createPersonalAccessToken": { audience: "signedIn", scope: "session", proof: "recent" },
  "Mutation.revokePersonalAccessToken": { audience: "signedIn", scope: "session" },
  "User.personalAccessTokens": { audience: "admin", roles: "all", scope: "session" },
  "CreatePersonalAccessTokenResult.token": { audience: "signedIn", scope: "session" },

  // access/profile
  "Mutation.updateProfile": { audience: "signedIn", scope: "session", proof: "conditional" },
  "UpdateProfileResult.user": { audience: "signedIn", scope: "session" },
  "GET /v1/core/accounts/:userId/profile/settings": { audience: "signedIn", scope: "profile:read" },
  "GET /v1/core/accounts/:userId/profile": { audience: "signedIn", scope: "profile:read" },

  // access/registration
  "Query.emailConfirmation": { audience: "everyone", scope: "session" },
  "Mutation.register": { audience: "everyone", scope: "session" },
  "Mutation.confirmEmail": { audience: "everyone", scope: "session" },
  "Mutation.resendConfirmationEmail": { audience: "everyone", scope: "session" },
  "Mutation.undoEmailChange": { audience: "everyone", scope: "session" },
  "Mutation.changeUnconfirmedEmail": { audience: "everyone", scope: "session" },

  // access/sessions
  "Mutation.signIn": { audience: "everyone", scope: "session" },
  "Mutation.signOut": { audience: "anySession", scope: "session", viewers: "allowed" },
  "Mutation.refreshSession": { audience: "everyone", scope: "session" },
  "Mutation.endSession": { audience: "signedIn", scope: "session" },
  "Mutation.endOtherSessions": { audience: "signedIn", scope: "session" },
  "Mutation.endSessionsOf": { audience: "admin", roles: ["support"], scope: "session" },
  "Mutation.viewAsCustomer": { audience: "admin", roles: ["support"], scope: "session" },
  "SignInResult.session": { audience: "everyone", scope: "session" },
  "SignInResult.secondStep": { audience: "everyone", scope: "session" },
  "SecondStep.methods": { audience: "everyone", scope: "session" },
  "User.sessions": { audience: "signedIn", scope: "session" },
  "POST /v1/core/auth/token": { audience: "everyone", scope: "session" },
  "POST /v1/core/auth/revoke": { audience: "everyone", scope: "session" },

  // access/two-step
  "Query.twoStepSignIn": { audience: "anySession", scope: "session" },
  "Mutation.completeSignIn": { audience: "everyone", scope: "session" },
  "Mutation.beginPasskeySignIn": { audience: "everyone", scope: "session" },
  "Mutation.beginAuthenticatorApp": { audience: "anySession", scope: "session", proof: "conditional" },
  "Mutation.confirmAuthenticatorApp": { audience: "anySession", scope: "session", proof: "recent" },
  "Mutation.beginPasskey": { audience: "anySession", scope: "session", proof: "conditional" },
  "Mutation.addPasskey": { audience: "anySession", scope: "session", proof: "recent" },
  "Mutation.proveIdentity": { audience: "anySession", scope: "session" },
  "Mutation.beginPasskeyProof": { audience: "signedIn", scope: "session" },
  "Mutation.removeAuthenticatorApp": { audience: "signedIn", scope: "session", proof: "conditional" },
  "Mutation.removePasskey": { audience: "signedIn", scope: "session", proof: "conditional" },
  "Mutation.renewRecoveryCodes": { audience: "signedIn", scope: "session", proof: "conditional" },
  "Mutation.turnOffTwoStepSignIn": { audience: "signedIn", scope: "session", proof: "conditional" },
  "Mutation.clearTwoStepSignIn": { audience: "admin", roles: ["support"], scope: "session", proof: "recent" },
  "TwoStepState.passkeys": { audience: "anySession", scope: "session" },
  "User.twoStepSince": { audience: "admin", roles: "all", scope: "users:read" },

  // webhooks/endpoints
  "Query.webhookEndpoints": { audience: "signedIn", scope: "webhooks:read" },
  "Query.webhookEndpoint": { audience: "signedIn", scope: "webhooks:read" },
  "Mutation.addWebhookEndpoint": { audience: "signedIn", scope: "session", proof: "recent" },
  "Mutation.updateWebhookEndpoint": { audience: "signedIn", scope: "session", proof: "recent" },
  "Mutation.deleteWebhookEndpoint": { audience: "signedIn", scope: "webhooks:write" },
  "Mutation.rollWebhookSecret": { audience: "signedIn", scope: "session", proof: "recent" },
  "Mutation.sendTestWebhook": { audience: "signedIn", scope: "webhooks:write" },
  "Mutation.replayWebhookDelivery": { audience: "signedIn", scope: "webhooks:write" },
  "WebhookEndpoint.deliveries": { audience: "signedIn", scope: "webhooks:read" },
  "WebhookEndpointSecret.endpoint": { audience: "signedIn", scope: "session" },
  "WebhookDeliveryPage.rows": { audience: "signedIn", scope: "webhooks:read" },
  "WebhookDelivery.attempts": { audience: "signedIn", scope: "webhooks:read" },

  // licensing/device-authorizations
  "Query.deviceAuthorization": { audience: "customer", scope: "session", viewers: "refused" },
  "Mutation.confirmDeviceAuthorization": { audience: "customer", scope: "session" },
  "Mutation.denyDeviceAuthorization": { audience: "customer", scope: "session" },
  "POST /v1/licence/device-authorization": { audience: "everyone", scope: "open" },
  "POST /v1/licence/device-authorization/token": { audience: "everyone", scope: "open" },

  // licensing/devices
  "Mutation.deactivateDevice": { audience: "signedIn", roles: ["support"], scope: "licences:write" },
  "Mutation.activateOffline": { audience: "customer", scope: "licences:write" },
  "ActivateOfflineResult.device": { audience: "customer", scope: "licences:write" },
  "GET /v1/licence/machines/:licenceId": { audience: "signedIn", scope: "licences:read" },
  "POST /v1/licence/activate": { audience: "everyone", scope: "open" },
  "POST /v1/licence/deactivate": { audience: "everyone", scope: "open" },

  // licensing/leases
  "Mutation.freeSeat": { audience: "admin", roles: ["support"], scope: "licences:write" },
  "Query.seatUsage": { audience: "admin", roles: "all", scope: "licences:read" },
  "SeatUsagePage.rows": { audience: "admin", roles: "all", scope: "licences:read" },
  "SeatUsage.licence": { audience: "admin", roles: "all", scope: "licences:read" },
  "Licence.leases": { audience: "signedIn", scope: "licences:read" },
  "Lease.device": { audience: "signedIn", scope: "licences:read" },
  "Licence.seatDenials": { audience: "signedIn", scope: "licences:read" },
  "POST /v1/licence/lease": { audience: "everyone", scope: "open" },
  "POST /v1/licence/heartbeat": { audience: "everyone", scope: "open" },
  "POST /v1/licence/release": { audience: "everyone", scope: "open" },

  // licensing/licences
  "Query.licence": { audience: "signedIn", scope: "licences:read" },
  "Query.licenceBySupportCode": { audience: "admin", roles: "all", scope: "licences:read" },
  "Mutation.addLicence": { audience: "admin", roles: ["support"], scope: "licences:write" },
  "Mutation.updateLicence": { audience: "admin", roles: ["support"], scope: "licences:write" },
  "Mutation.changeLicenceSeats": { audience: "admin", roles: ["support"], scope: "licences:write" },
  "Mutation.deactivateLicence": { audience: "admin", roles: ["support"], scope: "licences:write" },
  "Mutation.reinstateLicence": { audience: "admin", roles: ["support"], scope: "licences:write" },
  "Licence.owner": { audience: "admin", roles: "all", scope: "users:read" },
  "Licence.devices": { audience: "signedIn", scope: "licences:read" },
  "Licence.recentlyFreed": { audience: "signedIn", scope: "licences:read" },
  "Licence.deactivationAllowance": { audience: "signedIn", scope: "licences:read" },
  "Licence.events": { audience: "signedIn", scope: "licences:read" },
  "Device.events": { audience: "signedIn", scope: "licences:read" },
  "LicenceEventPage.rows": { audience: "signedIn", scope: "licences:read" },
  "LicenceEvent.ip": { audience: "admin", roles: "all", scope: "licences:read" },
  "GET /v1/licence/:id": { audience: "signedIn", scope: "licences:read" },
  "POST /v1/licence/validate": { audience: "everyone", scope: "open" },
  "GET /v1/licence/signing-keys": { audience: "everyone", scope: "open" },

  // licensing/move-codes
  "POST /v1/licence/move/code": { audience: "everyone", scope: "open" },
  "POST /v1/licence/move/devices": { audience: "everyone", scope: "open" },

  // licensing/sandbox
  "GET /v1/licence/sandbox/signing-keys": { audience: "everyone", scope: "open" },

  // licensing/trials
  "Query.trialEligibility": { audience: "regular", scope: "billing:read" },
  "Mutation.startTrial": { audience: "regular", scope: "session" },
  "TrialEligibility.licence": { audience: "regular", scope: "licences:read" },

  // licensing/usage
  "POST /v1/licence/usage": { audience: "everyone", scope: "open" },

  // selling/invoices
  "Query.taxInvoices": { audience: "regular", scope: "billing:read" },
  "Mutation.updateInvoiceDetails": { audience: "regular", scope: "session" },
  "User.invoices": { audience: "admin", roles: "all", scope: "billing:read" },
  "GET /v1/taxInvoice/:id/download": { audience: "regular", scope: "billing:read" },
  "GET /v1/admin/taxInvoice/:id/download": { audience: "admin", roles: "all", scope: "billing:read" },

  // selling/plans
  "Query.plans": { audience: "everyone", scope: "open" },
  "Query.priceQuote": { audience: "regular", scope: "billing:read" },
  "Plan.prices": { audience: "everyone", scope: "open" },

  // selling/promo-codes
  "Query.promoCodes": { audience: "admin", roles: "all", scope: "promo-codes:read" },
  "Query.promoCodeChanges": { audience: "admin", roles: "all", scope: "promo-codes:read" },
  "Mutation.applyPromoCode": { audience: "regular", scope: "session" },
  "Mutation.addPromoCode": { audience: "admin", roles: ["finance"], scope: "promo-codes:write" },
  "Mutation.updatePromoCode": { audience: "admin", roles: ["finance"], scope: "promo-codes:write" },
  "Mutation.deletePromoCode": { audience: "admin", roles: ["finance"], scope: "promo-codes:write" },
  "Mutation.restorePromoCode": { audience: "admin", roles: ["finance"], scope: "promo-codes:write" },
  "POST /v1/promoCode/validate": { audience: "regular", scope: "session" },

  // selling/subscriptions
  "Query.subscriptionStatus": { audience: "regular", scope: "billing:read" },
  "Query.cardEntry": { audience: "customer", scope: "session" },
  "Mutation.confirmSubscription": { audience: "regular", scope: "session" },
  "Mutation.subscribe": { audience: "regular", scope: "session" },
  "Mutation.completeSubscription": { audience: "regular", scope: "session" },
  "Mutation.cancelSubscription": { audience: "regular", scope: "session" },
  "Mutation.resumeSubscription": { audience: "regular", scope: "session" },
  "Mutation.pauseSubscription": { audience: "regular", scope: "session" },
  "Mutation.endSubscriptionPause": { audience: "regular", scope: "session" },
  "Mutation.confirmSubscriptionChange": { audience: "regular", scope: "session" },
  "Mutation.changeSubscription": { audience: "regular", scope: "session" },
  "Mutation.keepPresentPlan": { audience: "regular", scope: "session" },
  "Mutation.updatePaymentDetails": { audience: "regular", scope: "session" },
  "Query.paymentAttempts": { audience: "regular", scope: "billing:read" },
  "User.paymentAttempts": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "PaymentAttempt.taxInvoice": { audience: "signedIn", scope: "billing:read" },
  "Subscription.planPrice": { audience: "regular", scope: "billing:read" },
  "Subscription.nextPlanPrice": { audience: "regular", scope: "billing:read" },
  "SubscriptionStatus.subscription": { audience: "regular", scope: "billing:read" },
  "SubscriptionStatus.products": { audience: "regular", scope: "billing:read" },
  "SubscriptionProduct.planPrice": { audience: "regular", scope: "billing:read" },

  // billing/subscriptions
  "Query.billingSubscriptions": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "Query.subscriptionActionPreview": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "Mutation.runSubscriptionAction": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.retryPayment": { audience: "admin", roles: ["finance", "support"], scope: "session" },
  "Mutation.sendUpdateCardLink": { audience: "admin", roles: ["finance", "support"], scope: "session" },
  "User.billingSubscriptions": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "BillingSubscriptionPage.rows": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  // billing/invoices
  "Query.invoices": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "Query.manualInvoice": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "Query.invoicePreview": { audience: "admin", roles: ["finance"], scope: "billing:read" },
  "InvoicePage.rows": { audience: "admin", roles: "all", scope: "billing:read" },
  "InvoicePage.totals": { audience: "admin", roles: "all", scope: "billing:read" },
  "ManualInvoice.lines": { audience: "admin", roles: "all", scope: "billing:read" },
  "ManualInvoice.licenceTerms": { audience: "admin", roles: "all", scope: "billing:read" },
  "Query.myInvoices": { audience: "customer", scope: "billing:read" },
  "Query.sellerBankAccount": { audience: "customer", scope: "session" },
  "GET /v1/core/accounts/invoices/:id/download": { audience: "customer", scope: "billing:read" },
  "Mutation.createInvoice": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.updateInvoice": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.discardInvoice": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.issueInvoice": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.voidInvoice": { audience: "admin", roles: ["finance"], scope: "session" },

  // billing/quotes
  "Query.quote": { audience: "everyone", scope: "session" },
  "Mutation.acceptQuote": { audience: "everyone", scope: "session" },
  "Mutation.sendQuote": { audience: "admin", roles: ["finance"], scope: "session" },
  "ManualInvoice.quotes": { audience: "admin", roles: "all", scope: "billing:read" },
  "OfferedQuote.lines": { audience: "everyone", scope: "session" },

  // billing/payments
  "Query.savedCard": { audience: "customer", scope: "session" },
  "Mutation.payInvoice": { audience: "customer", scope: "session" },
  "Mutation.completeInvoicePayment": { audience: "customer", scope: "session" },
  "Query.paymentPreview": { audience: "admin", roles: ["finance"], scope: "billing:read" },
  "Mutation.recordPayment": { audience: "admin", roles: ["finance"], scope: "session" },
  "ManualInvoice.payments": { audience: "admin", roles: "all", scope: "billing:read" },
  "ReceivedPayment.invoice": { audience: "admin", roles: "all", scope: "billing:read" },

  // billing/credits
  "Query.customerCredit": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "Query.myCredit": { audience: "customer", scope: "billing:read" },
  "CustomerCredit.entries": { audience: "signedIn", scope: "billing:read" },
  "Mutation.addCredit": { audience: "admin", roles: ["finance"], scope: "session" },

  // billing/refunds
  "Query.refundPreview": { audience: "admin", roles: ["finance"], scope: "billing:read" },
  "Mutation.refundInvoice": { audience: "admin", roles: ["finance"], scope: "session", proof: "recent" },
  "User.receivedPayments": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "User.refunds": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "Refund.taxInvoice": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },
  "Refund.adjustmentNote": { audience: "admin", roles: ["finance", "support"], scope: "billing:read" },

  // staff/attention
  "Query.attention": { audience: "admin", roles: "all", scope: "reports:read" },
  "Query.attentionList": { audience: "admin", roles: "all", scope: "reports:read" },
  "AttentionPage.rows": { audience: "admin", roles: "all", scope: "reports:read" },
  "AttentionRow.user": { audience: "admin", roles: "all", scope: "users:read" },

  // staff/audit-log
  "Query.auditLog": { audience: "admin", roles: "all", scope: "reports:read" },
  "Query.auditActors": { audience: "admin", roles: "all", scope: "reports:read" },
  "Query.auditActions": { audience: "admin", roles: "all", scope: "reports:read" },
  "AuditPage.rows": { audience: "admin", roles: "all", scope: "reports:read" },
  "AuditEntry.changes": { audience: "admin", roles: "all", scope: "reports:read" },
  "AuditEntry.user": { audience: "admin", roles: "all", scope: "users:read" },
  "AuditEntry.bulkRunName": { audience: "admin", roles: "all", scope: "users:read" },

  // staff/security-events
  "Query.securityEvents": { audience: "admin", roles: [], scope: "reports:read" },
  "POST /v1/reports/download-security-events": { audience: "admin", roles: [], scope: "reports:read" },
  "SecurityEventPage.rows": { audience: "admin", roles: [], scope: "reports:read" },
  "SecurityEvent.facts": { audience: "admin", roles: [], scope: "reports:read" },
  "SecurityEvent.user": { audience: "admin", roles: [], scope: "users:read" },
  "SecurityEvent.actor": { audience: "admin", roles: [], scope: "users:read" },

  // staff/bulk
  "Query.bulkRuns": { audience: "admin", roles: ["support"], scope: "session" },
  "Query.bulkRun": { audience: "admin", roles: ["support"], scope: "session" },
  "Mutation.openBulkRun": { audience: "admin", roles: ["support"], scope: "session" },
  "Mutation.startBulkRun": { audience: "admin", roles: ["support"], scope: "session" },
  "Mutation.cancelBulkRun": { audience: "admin", roles: ["support"], scope: "session" },
  "BulkRunPage.rows": { audience: "admin", roles: "all", scope: "session" },
  "BulkRun.rows": { audience: "admin", roles: "all", scope: "session" },
  "BulkRun.terms": { audience: "admin", roles: "all", scope: "session" },
  "BulkRowPage.rows": { audience: "admin", roles: "all", scope: "session" },
  "BulkRow.faults": { audience: "admin", roles: "all", scope: "session" },
  "POST /v1/admin/bulk-runs": { audience: "admin", roles: ["support"], scope: "session" },
  "GET /v1/admin/bulk-runs/:id/result": { audience: "admin", roles: ["support"], scope: "session" },

  // staff/comments
  "Mutation.addComment": { audience: "admin", roles: ["support"], scope: "users:write" },
  "User.comments": { audience: "admin", roles: "all", scope: "users:read" },
  "POST /v1/comments/get": { audience: "admin", roles: "all", scope: "users:read" },

  // staff/contacts
  "Query.contactChanges": { audience: "admin", roles: "all", scope: "users:read" },
  "Mutation.reportOpenForm": { audience: "admin", roles: "all", scope: "session" },
  "Mutation.addContact": { audience: "admin", roles: ["support"], scope: "users:write" },
  "Mutation.updateContact": { audience: "admin", roles: ["support"], scope: "users:write" },
  "Mutation.deleteContact": { audience: "admin", roles: ["support"], scope: "users:write" },
  "Mutation.restoreContact": { audience: "admin", roles: ["support"], scope: "users:write" },

  // staff/dashboard
  "Query.dashboard": { audience: "admin", roles: "all", scope: "reports:read" },
  "Query.dashboardList": { audience: "admin", roles: "all", scope: "reports:read" },
  "Dashboard.trials": { audience: "admin", roles: "all", scope: "reports:read" },
  "Dashboard.subscriptions": { audience: "admin", roles: "all", scope: "reports:read" },
  "Dashboard.activity": { audience: "admin", roles: "all", scope: "reports:read" },
  "Dashboard.versions": { audience: "admin", roles: "all", scope: "reports:read" },
  "Dashboard.expiring": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardTrials.started": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardTrials.converted": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardTrials.course": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.active": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.monthlyCents": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.plans": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.begun": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.ended": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.churned": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.begunCourse": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardSubscriptions.endedCourse": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardActivity.activations": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardActivity.validations": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardActivity.refusals": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardActivity.blocked": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardActivity.course": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardActivity.days": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardVersions.versions": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardExpiring.course": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardPage.rows": { audience: "admin", roles: "all", scope: "reports:read" },
  "DashboardRow.user": { audience: "admin", roles: "all", scope: "users:read" },

  // staff/reports
  "Query.reportPreview": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "Query.reportSeries": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "ReportPreview.columns": { audience: "admin", roles: "all", scope: "reports:read" },
  "ReportSeries.points": { audience: "admin", roles: "all", scope: "reports:read" },
  "POST /v1/reports/download-licence-code-report": {
    audience: "admin",
    roles: ["support", "finance"],
    scope: "reports:read",
  },
  "POST /v1/reports/download-report": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "POST /v1/reports/download-revenue": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "POST /v1/reports/download-invoices": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "POST /v1/reports/download-subscriptions": {
    audience: "admin",
    roles: ["finance", "support"],
    scope: "reports:read",
  },
  "POST /v1/reports/download-tax": { audience: "admin", roles: ["finance"], scope: "reports:read" },

  // billing/prices
  "Query.allPlans": { audience: "admin", roles: "all", scope: "billing:read" },
  "Query.priceMovePreview": { audience: "admin", roles: ["finance"], scope: "billing:read" },
  "Mutation.setPlanPrice": { audience: "admin", roles: ["finance"], scope: "session", proof: "recent" },
  "Mutation.setPlanOnSale": { audience: "admin", roles: ["finance"], scope: "session", proof: "recent" },
  "Mutation.moveSubscribers": { audience: "admin", roles: ["finance"], scope: "session", proof: "recent" },
  "Plan.isOnSale": { audience: "admin", roles: "all", scope: "billing:read" },
  "PlanPrice.versions": { audience: "admin", roles: "all", scope: "billing:read" },
  "PlanPrice.customerCount": { audience: "admin", roles: "all", scope: "billing:read" },
  "PlanPrice.otherAmountCount": { audience: "admin", roles: "all", scope: "billing:read" },

  // billing/revenue
  "Query.moneyReport": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "Query.moneyEntries": { audience: "admin", roles: ["finance"], scope: "reports:read" },

  // billing/tax
  "Query.taxSummary": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "Query.taxEntries": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "TaxEntryPage.rows": { audience: "admin", roles: "all", scope: "reports:read" },

  // staff/saved-reports
  "Query.savedReports": { audience: "admin", roles: ["finance"], scope: "reports:read" },
  "Query.reportFile": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.saveReport": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.updateSavedReport": { audience: "admin", roles: ["finance"], scope: "session" },
  "Mutation.deleteSavedReport": { audience: "admin", roles: ["finance"], scope: "session" },
  "POST /v1/reports/download-file": { audience: "admin", roles: ["finance"], scope: "session" },

  // staff/saved-views
  "Query.savedViews": { audience: "admin", roles: "all", scope: "session" },
  "Mutation.saveView": { audience: "admin", roles: "all", scope: "session" },
  "Mutation.updateSavedView": { audience: "admin", roles: "all", scope: "session" },
  "Mutation.deleteSavedView": { audience: "admin", roles: "all", scope: "session" },

  // staff/search
  "Query.search": { audience: "admin", roles: "all", scope: "users:read" },
  "SearchResult.hits": { audience: "admin", roles: "all", scope: "users:read" },
  "SearchResult.promoCodeHits": { audience: "admin", roles: "all", scope: "promo-codes:read" },
  "SearchResult.buildHits": { audience: "admin", roles: "all", scope: "software:read" },

  // staff/timeline
  "User.timeline": { audience: "admin", roles: "all", scope: "users:read" },
  "TimelinePage.rows": { audience: "admin", roles: "all", scope: "users:read" },
  "TimelineEntry.changes": { audience: "admin", roles: "all", scope: "users:read" },

  // staff/users
  "Query.me": { audience: "signedIn", scope: "profile:read" },
  "Query.user": { audience: "admin", roles: "all", scope: "users:read" },
  "Query.users": { audience: "admin", roles: "all", scope: "users:read" },
  "Query.userSummary": { audience: "admin", roles: "all", scope: "users:read" },
  "Query.userChanges": { audience: "admin", roles: "all", scope: "users:read" },
  "Mutation.archiveUser": { audience: "admin", roles: ["support"], scope: "users:write", proof: "conditional" },
  "Mutation.restoreUser": { audience: "admin", roles: ["support"], scope: "users:write", proof: "conditional" },
  "Mutation.createUser": { audience: "admin", roles: ["support"], scope: "users:write", proof: "conditional" },
  "Mutation.updateUser": { audience: "admin", roles: ["support"], scope: "users:write", proof: "conditional" },
  "Mutation.sendPasswordReset": { audience: "admin", roles: ["support"], scope: "session" },
  "Mutation.resendUserConfirmation": { audience: "admin", roles: ["support"], scope: "session" },
  "Mutation.resetDeactivationCounter": { audience: "admin", roles: ["support"], scope: "users:write" },
  "Mutation.blockMachineOf": { audience: "admin", roles: ["support"], scope: "users:write" },
  "User.cancellationPendingSince": { audience: "admin", roles: "all", scope: "users:read" },
  "User.contacts": { audience: "admin", roles: "all", scope: "users:read" },
  "User.blockedMachines": { audience: "admin", roles: "all", scope: "users:read" },
  "User.licences": { audience: "signedIn", scope: "licences:read" },
  "User.hasActiveSubscription": { audience: "signedIn", scope: "billing:read" },
  "UserPage.rows": { audience: "admin", roles: "all", scope: "users:read" },
  "POST /v1/users/filter": { audience: "admin", roles: "all", scope: "users:read" },
  "POST /v1/users/export": { audience: "admin", roles: ["support", "finance"], scope: "users:read" },
  "GET /v1/users/:id": { audience: "admin", roles: "all", scope: ["users:read", "licences:read"] },

  // privacy/data-export
  "GET /v1/core/accounts/my-data": { audience: "customer", scope: "session", viewers: "refused" },

  // privacy/erasure
  "Query.erasure": { audience: "admin", roles: "all", scope: "users:read" },
  "Mutation.deleteMyAccount": { audience: "customer", scope: "session", proof: "conditional" },
  "Mutation.eraseUser": { audience: "admin", roles: [], scope: "session", proof: "recent" },
  "Erasure.userId": { audience: "admin", roles: "all", scope: "users:read" },
  "Erasure.progress": { audience: "admin", roles: "all", scope: "users:read" },
  "Erasure.certificate": { audience: "admin", roles: "all", scope: "users:read" },
  "ErasureCertificate.erased": { audience: "admin", roles: "all", scope: "users:read" },
  "ErasureCertificate.kept": { audience: "admin", roles: "all", scope: "users:read" },
} as const satisfies Readonly<Record<string, Permission>>;

/** Name of an operation that has a row in the table. */
export type Operation = keyof typeof operations;

/** The audience of the plain fields of each type. A field that leads to the type can't have a wider audience. */
const types: Readonly<Record<string, TypePermission & { readonly readThrough?: Operation }>> = {
  // audit/change-log
  StaffChange: { audience: "admin" },
  AuditEntry: { audience: "admin" },
  SecurityEvent: { audience: "admin" },

  // people/addresses
  AddressSuggestion: { audience: "everyone" },
  SuggestedAddress: { audience: "everyone" },

  // people/users
  User: { audience: "signedIn", readThrough: "Query.user" },

  // releases/software
  Installer: { audience: "signedIn" },
  SoftwareChannel: { audience: "admin", readThrough: "Query.softwareChannels" },
  SoftwareBuildPage: { audience: "admin" },
  SoftwareBuild: { audience: "admin", readThrough: "Query.softwareBuild" },
  SoftwareFile: { audience: "admin" },
  SoftwareDownloads: { audience: "admin" },

  // access/personal-access-tokens
  CreatePersonalAccessTokenResult: { audience: "signedIn" },
  PersonalAccessToken: { audience: "signedIn" },

  // access/profile
  UpdateProfileResult: { audience: "signedIn" },

  // access/registration
  EmailConfirmation: { audience: "everyone" },
  RegisterResult: { audience: "everyone" },

  // access/sessions
  SignInResult: { audience: "everyone" },
  SecondStep: { audience: "everyone" },
  SessionTokens: { audience: "everyone" },
  UserSession: { audience: "signedIn" },
  CustomerView: { audience: "admin" },

  // access/two-step
  TwoStepMethods: { audience: "everyone" },
  TwoStepState: { audience: "anySession" },
  Passkey: { audience: "anySession" },
  AuthenticatorAppSetUp: { audience: "anySession" },

  // webhooks/endpoints
  WebhookEndpoint: { audience: "signedIn", readThrough: "Query.webhookEndpoint" },
  WebhookEndpointSecret: { audience: "signedIn" },
  WebhookDeliveryPage: { audience: "signedIn" },
  WebhookDelivery: { audience: "signedIn", readThrough: "WebhookEndpoint.deliveries" },
  WebhookAttempt: { audience: "signedIn" },

  // licensing/device-authorizations
  DeviceAuthorization: { audience: "customer" },

  // licensing/devices
  BlockedMachine: { audience: "admin" },
  FreedDevice: { audience: "signedIn" },
  DeactivationAllowance: { audience: "signedIn" },
  Device: { audience: "signedIn", readThrough: "Licence.devices" },
  DeactivateDeviceResult: { audience: "signedIn" },
  ActivateOfflineResult: { audience: "customer" },

  // licensing/leases
  Lease: { audience: "signedIn" },
  SeatUsagePage: { audience: "admin" },
  SeatUsage: { audience: "admin" },

  // licensing/licences
  Licence: { audience: "signedIn", readThrough: "Query.licence" },
  LicenceEventPage: { audience: "signedIn" },
  LicenceEvent: { audience: "signedIn" },

  // licensing/trials
  TrialEligibility: { audience: "regular" },

  // selling/invoices
  TaxInvoice: { audience: "signedIn" },

  // selling/plans
  Plan: { audience: "everyone" },
  PlanPrice: { audience: "everyone" },
  PriceQuote: { audience: "regular" },

  // selling/promo-codes
  PromoCode: { audience: "admin", readThrough: "Query.promoCodes" },

  // selling/subscriptions
  Subscription: { audience: "regular" },
  SubscriptionStatus: { audience: "regular" },
  SubscriptionProduct: { audience: "regular" },
  SubscriptionConfirmation: { audience: "regular" },
  PaymentOutcome: { audience: "customer" },
  CardEntry: { audience: "customer" },
  PaymentAttempt: { audience: "signedIn" },

  // billing/subscriptions
  BillingSubscriptionPage: { audience: "admin" },
  BillingSubscription: { audience: "admin" },
  SubscriptionAction: { audience: "admin" },

  // billing/refunds
  RefundPreview: { audience: "admin" },
  Refund: { audience: "admin" },

  // billing/invoices
  ListedInvoiceRow: { audience: "admin" },
  InvoiceListTotals: { audience: "admin" },
  InvoicePage: { audience: "admin" },
  MyInvoice: { audience: "customer" },
  SellerBankAccount: { audience: "customer" },
  ManualInvoice: { audience: "admin", readThrough: "Query.manualInvoice" },
  ManualInvoiceLine: { audience: "signedIn" },
  InvoicedLicence: { audience: "signedIn" },
  InvoicePreview: { audience: "admin" },

  // billing/quotes
  OfferedQuote: { audience: "everyone" },
  OfferedLine: { audience: "everyone" },
  Quote: { audience: "admin" },

  // billing/payments
  SavedCard: { audience: "customer" },
  ReceivedPayment: { audience: "admin" },
  PaymentPreview: { audience: "admin" },

  // billing/credits
  CustomerCredit: { audience: "signedIn" },
  CreditEntry: { audience: "signedIn" },

  // staff/attention
  AttentionCount: { audience: "admin" },
  AttentionPage: { audience: "admin" },
  AttentionRow: { audience: "admin" },

  // staff/audit-log
  AuditActor: { audience: "admin" },
  AuditAction: { audience: "admin" },
  AuditPage: { audience: "admin" },
  AuditChange: { audience: "admin" },

  // staff/security-events
  SecurityEventPage: { audience: "admin" },
  SecurityEventFact: { audience: "admin" },

  // staff/bulk
  BulkRunPage: { audience: "admin" },
  BulkRun: { audience: "admin" },
  BulkRowPage: { audience: "admin" },
  BulkRow: { audience: "admin" },
  BulkFault: { audience: "admin" },

  // staff/comments
  Comment: { audience: "admin", readThrough: "User.comments" },

  // staff/contacts
  Contact: { audience: "admin", readThrough: "User.contacts" },

  // staff/dashboard
  Dashboard: { audience: "admin" },
  DashboardFigure: { audience: "admin" },
  DashboardTrials: { audience: "admin" },
  DashboardTrialsPart: { audience: "admin" },
  DashboardSubscriptions: { audience: "admin" },
  DashboardPlan: { audience: "admin" },
  DashboardCount: { audience: "admin" },
  DashboardActivity: { audience: "admin" },
  DashboardActivityPart: { audience: "admin" },
  DashboardVersions: { audience: "admin" },
  DashboardVersion: { audience: "admin" },
  DashboardExpiring: { audience: "admin" },
  DashboardPage: { audience: "admin" },
  DashboardRow: { audience: "admin" },

  // staff/reports
  ReportPreview: { audience: "admin" },
  ReportColumn: { audience: "admin" },
  ReportSeries: { audience: "admin" },
  PlanPriceVersion: { audience: "admin" },
  PriceMovePreview: { audience: "admin" },
  MoneyMonth: { audience: "admin" },
  TaxFigure: { audience: "admin" },
  TaxEntryPage: { audience: "admin" },
  TaxEntry: { audience: "admin" },
  ReportPoint: { audience: "admin" },

  // staff/saved-reports
  SavedReport: { audience: "admin" },
  ReportFile: { audience: "admin" },

  // staff/presence
  OtherEditor: { audience: "admin" },

  // staff/saved-views
  SavedView: { audience: "admin" },

  // staff/search
  SearchResult: { audience: "admin" },
  SearchHit: { audience: "admin" },
  CatalogueHit: { audience: "admin" },

  // staff/timeline
  TimelinePage: { audience: "admin" },
  TimelineEntry: { audience: "admin" },

  // staff/users
  UserSummary: { audience: "admin" },
  UserPage: { audience: "admin" },

  // privacy/erasure
  Erasure: { audience: "admin" },
  ErasureProgress: { audience: "admin" },
  ErasureCertificate: { audience: "admin" },
  ErasedRows: { audience: "admin" },
  KeptRows: { audience: "admin" },
};

export const permissions: PermissionTable = { operations, types };
