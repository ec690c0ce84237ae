import { AuditEntry } from "#api/features/audit/audit-entry.entity.ts";
import { BulkRow } from "#api/features/bulk/bulk-row.entity.ts";
import { BulkRun } from "#api/features/bulk/bulk-run.entity.ts";
import { SavedReport } from "#api/features/saved-reports/saved-report.entity.ts";
import { ReportRun } from "#api/features/saved-reports/report-run.entity.ts";
import { EmailToken } from "#api/features/accounts/email-token.entity.ts";
import { User } from "#api/features/accounts/user.entity.ts";
import { RefreshToken } from "#api/features/auth/refresh-token.entity.ts";
import { Session } from "#api/features/auth/session.entity.ts";
import { ContactMessage } from "#api/features/contact-form/contact-message.entity.ts";
import { Contact } from "#api/features/contacts/contact.entity.ts";
import { Comment } from "#api/features/comments/comment.entity.ts";
import { BlockedMachine } from "#api/features/devices/blocked-machine.entity.ts";
import { Deactivation } from "#api/features/devices/deactivation.entity.ts";
import { Device } from "#api/features/devices/device.entity.ts";
import { Lease } from "#api/features/leases/lease.entity.ts";
import { DeviceAuthorization } from "#api/features/device-authorizations/device-authorization.entity.ts";
import { MoveCode } from "#api/features/move-codes/move-code.entity.ts";
import { Licence } from "#api/features/licences/licence.entity.ts";
import { DetachedEventMonth } from "#api/features/licences/detached-event-month.entity.ts";
import { LicenceEvent } from "#api/features/licences/licence-event.entity.ts";
import { NumberSequence } from "#api/features/invoices/number-sequence.entity.ts";
import { TaxInvoice } from "#api/features/invoices/tax-invoice.entity.ts";
import { Mail } from "#api/features/mails/mail.entity.ts";
import { Plan } from "#api/features/plans/plan.entity.ts";
import { PlanPrice } from "#api/features/plans/plan-price.entity.ts";
import { PromoCode } from "#api/features/promo-codes/promo-code.entity.ts";
import { PromoRedemption } from "#api/features/promo-codes/promo-redemption.entity.ts";
import { Subscription } from "#api/features/subscriptions/subscription.entity.ts";
import { SoftwareBuild } from "#api/features/software/software-build.entity.ts";
import { SoftwareDownload } from "#api/features/software/software-download.entity.ts";
import { SoftwareFile } from "#api/features/software/software-file.entity.ts";
import { SoftwareChannel } from "#api/features/software/software-channel.entity.ts";
import { TrialClaim } from "#api/features/trials/trial-claim.entity.ts";
import { UsageEvent } from "#api/features/usage/usage-event.entity.ts";
import { AuthenticatorApp } from "#api/features/two-step/authenticator-app.entity.ts";
import { Passkey } from "#api/features/two-step/passkey.entity.ts";
import { RecoveryCode } from "#api/features/two-step/recovery-code.entity.ts";
import { TwoStepChallenge } from "#api/features/two-step/two-step-challenge.entity.ts";
import { Checkout } from "#api/features/subscriptions/checkout.entity.ts";
import { PaymentCustomer } from "#api/features/subscriptions/payment-customer.entity.ts";
import { PaymentNotice } from "#api/features/subscriptions/payment-notice.entity.ts";
import { SubscriptionChange } from "#api/features/subscriptions/subscription-change.entity.ts";
import { ActivityProgress } from "#api/features/dashboard/activity-progress.entity.ts";
import { DailyActivity } from "#api/features/dashboard/daily-activity.entity.ts";
import { DeviceVersion } from "#api/features/dashboard/device-version.entity.ts";
import { PersonalAccessToken } from "#api/features/personal-access-tokens/personal-access-token.entity.ts";
import { WebhookAttempt } from "#api/features/webhooks/webhook-attempt.entity.ts";
import { WebhookDelivery } from "#api/features/webhooks/webhook-delivery.entity.ts";
import { WebhookEndpoint } from "#api/features/webhooks/webhook-endpoint.entity.ts";
import { WebhookEvent } from "#api/features/webhooks/webhook-event.entity.ts";
import { Erasure } from "#api/features/erasure/erasure.entity.ts";
import { Setting } from "#api/platform/setting.entity.ts";

/** Every table of the product. */
export const entities = [
  User,
  EmailToken,
  Session,
  PersonalAccessToken,
  RefreshToken,
  Contact,
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
  TrialClaim,
  Subscription,
  Plan,
  PlanPrice,
  PromoCode,
  PromoRedemption,
  TaxInvoice,
  NumberSequence,
  Mail,
  AuthenticatorApp,
  Passkey,
  RecoveryCode,
  TwoStepChallenge,
  SubscriptionChange,
  Checkout,
  PaymentCustomer,
  PaymentNotice,
  SoftwareBuild,
  SoftwareChannel,
  SoftwareFile,
  SoftwareDownload,
  AuditEntry,
  BulkRun,
  BulkRow,
  DailyActivity,
  ActivityProgress,
  DeviceVersion,
  SavedReport,
  ReportRun,
  WebhookEndpoint,
  WebhookEvent,
  WebhookDelivery,
  WebhookAttempt,
  Erasure,
  Setting,
];
