import { AuditKey, AuditLink, UnsealedEntry } from "#api/audit/chain/audit-link.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { LeakMeasurement } from "#api/licensing/leaks/leak-measurement.entity.ts";
import { SecurityEvent } from "#api/audit/security-events/security-event.entity.ts";
import { BulkRow } from "#api/staff/bulk/bulk-row.entity.ts";
import { BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { SavedView } from "#api/staff/saved-views/saved-view.entity.ts";
import { SavedReport } from "#api/staff/saved-reports/saved-report.entity.ts";
import { ReportRun } from "#api/staff/saved-reports/report-run.entity.ts";
import { EmailChange } from "#api/access/registration/email-change.entity.ts";
import { RegistrationBrowser } from "#api/access/registration/registration-browser.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { AccountMerge } from "#api/people/merges/account-merge.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { RefreshToken } from "#api/access/sessions/refresh-token.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { OpenForm } from "#api/staff/presence/open-form.entity.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { DeviceAuthorization } from "#api/licensing/device-authorizations/device-authorization.entity.ts";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { DetachedEventMonth } from "#api/licensing/licences/detached-event-month.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { NumberSequence } from "#api/billing/invoices/number-sequence.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { Plan } from "#api/billing/plans/plan.entity.ts";
import { SeatPrice } from "#api/billing/seats/seat-price.entity.ts";
import { PriceVersion } from "#api/billing/plans/price-version.entity.ts";
import { PriceMove } from "#api/billing/prices/price-move.entity.ts";
import { PlanPrice } from "#api/billing/plans/plan-price.entity.ts";
import { PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { PromoRedemption } from "#api/billing/promo-codes/promo-redemption.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { SoftwareDownload } from "#api/releases/software/software-download.entity.ts";
import { SoftwareFile } from "#api/releases/software/software-file.entity.ts";
import { SoftwareChannel } from "#api/releases/software/software-channel.entity.ts";
import { TrialClaim } from "#api/licensing/trials/trial-claim.entity.ts";
import { UsageEvent } from "#api/licensing/usage/usage-event.entity.ts";
import { AuthenticatorApp } from "#api/access/two-step/authenticator-app.entity.ts";
import { Passkey } from "#api/access/two-step/passkey.entity.ts";
import { RecoveryCode } from "#api/access/two-step/recovery-code.entity.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-challenge.entity.ts";
import { Checkout } from "#api/billing/subscriptions/checkout.entity.ts";
import { PaymentCustomer } from "#api/billing/subscriptions/payment-customers.ts";
import { PaymentNotice } from "#api/billing/subscriptions/payment-notice.entity.ts";
import { SubscriptionPause } from "#api/billing/subscriptions/subscription-pause.entity.ts";
import { SubscriptionCancellation } from "#api/billing/subscriptions/subscription-cancellation.entity.ts";
import { Refund } from "#api/billing/refunds/refund.entity.ts";
import { SubscriptionAction } from "#api/billing/subscriptions/subscription-action.entity.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import { SubscriptionChange } from "#api/billing/subscriptions/subscription-change.entity.ts";
import { ActivityProgress } from "#api/staff/dashboard/activity-progress.entity.ts";
import { DailyActivity } from "#api/staff/dashboard/daily-activity.entity.ts";
import { DeviceVersion } from "#api/staff/dashboard/device-version.entity.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import { WebhookAttempt } from "#api/webhooks/endpoints/webhook-attempt.entity.ts";
import { WebhookDelivery } from "#api/webhooks/endpoints/webhook-delivery.entity.ts";
import { WebhookEndpoint } from "#api/webhooks/endpoints/webhook-endpoint.entity.ts";
import { WebhookEvent } from "#api/webhooks/endpoints/webhook-event.entity.ts";
import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import { CreditEntry } from "#api/billing/credits/credit-entry.entity.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { ServicePeriod } from "#api/billing/revenue/service-period.entity.ts";
import { Quote } from "#api/billing/quotes/quote.entity.ts";
import { AccountingExport } from "#api/billing/journal/accounting-export.entity.ts";
import { JournalEntry } from "#api/billing/journal/journal-entry.entity.ts";
import { BillingContact } from "#api/billing/billing-contacts/billing-contact.entity.ts";
import { PeriodLock } from "#api/billing/period-lock/period-lock.entity.ts";
import { CardPayment } from "#api/billing/payments/card-payment.entity.ts";
import { ReceivedPayment } from "#api/billing/payments/received-payment.entity.ts";
import { Setting } from "#api/platform/database/setting.entity.ts";

/** Every table of the product. */
export const entities = [
  User,
  AccountMerge,
  EmailToken,
  EmailChange,
  RegistrationBrowser,
  Session,
  PersonalAccessToken,
  RefreshToken,
  Contact,
  OpenForm,
  ContactMessage,
  Comment,
  Licence,
  LicenceEvent,
  DetachedEventMonth,
  Lease,
  UsageEvent,
  Device,
  Deactivation,
  BlockedMachine,
  DeviceAuthorization,
  MoveCode,
  LeakMeasurement,
  TrialClaim,
  Subscription,
  Plan,
  PlanPrice,
  PriceVersion,
  SeatPrice,
  PriceMove,
  PromoCode,
  PromoRedemption,
  TaxInvoice,
  NumberSequence,
  PeriodLock,
  BillingContact,
  AccountingExport,
  JournalEntry,
  ManualInvoice,
  CardPayment,
  ReceivedPayment,
  CreditEntry,
  ServicePeriod,
  Quote,
  Email,
  AuthenticatorApp,
  Passkey,
  RecoveryCode,
  TwoStepChallenge,
  SubscriptionCancellation,
  SubscriptionPause,
  SubscriptionChange,
  PaymentAttempt,
  Refund,
  SubscriptionAction,
  Checkout,
  PaymentCustomer,
  PaymentNotice,
  SoftwareBuild,
  SoftwareChannel,
  SoftwareFile,
  SoftwareDownload,
  AuditEntry,
  SecurityEvent,
  AuditKey,
  AuditLink,
  UnsealedEntry,
  BulkRun,
  BulkRow,
  DailyActivity,
  ActivityProgress,
  DeviceVersion,
  SavedReport,
  ReportRun,
  SavedView,
  WebhookEndpoint,
  WebhookEvent,
  WebhookDelivery,
  WebhookAttempt,
  Erasure,
  Setting,
];
