import type { Audience } from "./platform/audience.ts";

/**
 * Who may do what: one row for every root field, every nested field that leads to other rows, every
 * type (`Type.*`, its plain fields) and every route. The method or route restates its row with
 * `@Allow(…)` or `allow:`; the process refuses to start when the two differ or a row is missing,
 * so that widening access always takes two edits.
 */
export const permissions: Readonly<Record<string, Audience>> = {
  // Accounts
  "Query.me": "signedIn",
  "Query.user": "admin",
  "Query.users": "admin",
  "Query.emailConfirmation": "everyone",
  "Mutation.register": "everyone",
  "Mutation.confirmEmail": "everyone",
  "Mutation.resendConfirmationEmail": "everyone",
  "Mutation.changeUnconfirmedEmail": "everyone",
  "Mutation.updateProfile": "signedIn",
  "UpdateProfileResult.*": "signedIn",
  "UpdateProfileResult.user": "signedIn",
  "Query.isResetTokenValid": "everyone",
  "Mutation.requestPasswordReset": "everyone",
  "Mutation.resetPassword": "everyone",
  "Mutation.changePassword": "signedIn",
  "User.*": "signedIn",
  "User.contacts": "admin",
  "User.blockedMachines": "admin",
  "User.licences": "signedIn",
  "User.hasActiveSubscription": "signedIn",
  "Contact.*": "admin",
  "BlockedMachine.*": "admin",
  "UserPage.*": "admin",
  "UserPage.rows": "admin",
  "EmailConfirmation.*": "everyone",
  "RegisterResult.*": "everyone",
  "POST /v1/core/accounts": "everyone",
  "POST /v1/core/accounts/confirm-email": "everyone",
  "PATCH /v1/core/accounts/check-confirmation/:handle": "everyone",
  "GET /v1/core/accounts/resend-confirmation-email/:handle": "everyone",
  "POST /v1/core/accounts/resend-confirmation-email/:handle": "everyone",
  "PUT /v1/core/accounts/change-email-address": "everyone",
  "GET /v1/core/accounts/:userId/profile/settings": "signedIn",
  "GET /v1/core/accounts/:userId/profile": "signedIn",
  "PUT /v1/core/accounts/update-profile": "signedIn",
  "GET /v1/core/accounts/my-data": "customer",
  "Mutation.deleteMyAccount": "customer",
  "PATCH /v1/core/accounts/:email/password/reset/request": "everyone",
  "POST /v1/core/accounts/token/validate": "everyone",
  "POST /v1/core/accounts/password/reset": "everyone",
  "POST /v1/core/accounts/password/change": "signedIn",

  // Signing in and out
  "Mutation.signIn": "everyone",
  "Mutation.signOut": "signedIn",
  "Mutation.refreshSession": "everyone",
  "SignInResult.*": "everyone",
  "SignInResult.session": "everyone",
  "SessionTokens.*": "everyone",
  "User.sessions": "signedIn",
  "UserSession.*": "signedIn",
  "Mutation.endSession": "signedIn",
  "Mutation.endOtherSessions": "signedIn",
  "POST /v1/core/auth/token": "everyone",
  "POST /v1/core/auth/revoke": "everyone",

  // Licences and devices
  "Query.licence": "signedIn",
  "Mutation.deactivateDevice": "signedIn",
  "Licence.*": "signedIn",
  "Licence.devices": "signedIn",
  "Device.*": "signedIn",
  "DeactivateDeviceResult.*": "signedIn",
  "GET /v1/licence/:id": "signedIn",
  "GET /v1/licence/machines/:licenceId": "signedIn",
  "PUT /v1/licence/machine/:tempId/deactivate": "signedIn",

  // Trials
  "Query.trialEligibility": "regular",
  "Mutation.startTrial": "regular",
  "TrialEligibility.*": "regular",
  "TrialEligibility.licence": "regular",
  "GET /v1/subscriptions/check-trial": "regular",
  "GET /v1/subscriptions/create-trial": "regular",
  "POST /v1/subscriptions/create-trial": "regular",

  // Plans, promo codes, tax invoices
  "Query.plans": "everyone",
  "Query.priceQuote": "regular",
  "Plan.*": "everyone",
  "Plan.prices": "everyone",
  "PlanPrice.*": "everyone",
  "PriceQuote.*": "regular",
  "Mutation.applyPromoCode": "regular",
  "POST /v1/promoCode/validate": "regular",
  "Query.taxInvoices": "regular",
  "TaxInvoice.*": "regular",
  "Mutation.updateInvoiceDetails": "regular",
  "GET /v1/taxInvoice": "regular",
  "GET /v1/taxInvoice/:id/download": "regular",

  // Contact form
  "Mutation.sendContactMessage": "everyone",
  "POST /v1/contact-us/send": "everyone",

  // Address suggestions
  "Query.addressSuggestions": "everyone",
  "Query.suggestedAddress": "everyone",
  "AddressSuggestion.*": "everyone",
  "AddressSuggestion.parts": "everyone",
  "SuggestedAddress.*": "everyone",

  // The add-in's protocol
  "POST /v1/licence/activate": "everyone",
  "POST /v1/licence/validate": "everyone",
  "POST /v1/licence/deactivate": "everyone",
  "GET /v1/licence/signing-keys": "everyone",
};
