import { AuditEntry } from "./audit/change-log/audit-entry.entity.ts";
import { BulkRow } from "./staff/bulk/bulk-row.entity.ts";
import { BulkRun } from "./staff/bulk/bulk-run.entity.ts";
import { SavedReport } from "./staff/saved-reports/saved-report.entity.ts";
import { ReportRun } from "./staff/saved-reports/report-run.entity.ts";
import { EmailToken } from "./access/registration/email-token.entity.ts";
import { User } from "./people/users/user.entity.ts";
import { RefreshToken } from "./access/sessions/refresh-token.entity.ts";
import { Session } from "./access/sessions/session.entity.ts";
import { ContactMessage } from "./messaging/contact-form/contact-message.entity.ts";
import { Contact } from "./staff/contacts/contact.entity.ts";
import { Comment } from "./staff/comments/comment.entity.ts";
import { BlockedMachine } from "./licensing/devices/blocked-machine.entity.ts";
import { Deactivation } from "./licensing/devices/deactivation.entity.ts";
import { Device } from "./licensing/devices/device.entity.ts";
import { Lease } from "./licensing/leases/lease.entity.ts";
import { DeviceAuthorization } from "./licensing/device-authorizations/device-authorization.entity.ts";
import { MoveCode } from "./licensing/move-codes/move-code.entity.ts";
import { Licence } from "./licensing/licences/licence.entity.ts";
import { DetachedEventMonth } from "./licensing/licences/detached-event-month.entity.ts";
import { LicenceEvent } from "./licensing/licences/licence-event.entity.ts";
import { NumberSequence } from "./selling/invoices/number-sequence.entity.ts";
import { TaxInvoice } from "./selling/invoices/tax-invoice.entity.ts";
import { Mail } from "./messaging/mails/mail.entity.ts";
import { Plan } from "./selling/plans/plan.entity.ts";
import { PlanPrice } from "./selling/plans/plan-price.entity.ts";
import { PromoCode } from "./selling/promo-codes/promo-code.entity.ts";
import { PromoRedemption } from "./selling/promo-codes/promo-redemption.entity.ts";
import { Subscription } from "./selling/subscriptions/subscription.entity.ts";
import { SoftwareBuild } from "./releases/software/software-build.entity.ts";
import { SoftwareDownload } from "./releases/software/software-download.entity.ts";
import { SoftwareFile } from "./releases/software/software-file.entity.ts";
import { SoftwareChannel } from "./releases/software/software-channel.entity.ts";
import { TrialClaim } from "./licensing/trials/trial-claim.entity.ts";
import { UsageEvent } from "./licensing/usage/usage-event.entity.ts";
import { AuthenticatorApp } from "./access/two-step/authenticator-app.entity.ts";
import { Passkey } from "./access/two-step/passkey.entity.ts";
import { RecoveryCode } from "./access/two-step/recovery-code.entity.ts";
import { TwoStepChallenge } from "./access/two-step/two-step-challenge.entity.ts";
import { Checkout } from "./selling/subscriptions/checkout.entity.ts";
import { PaymentCustomer } from "./selling/subscriptions/payment-customer.entity.ts";
import { PaymentNotice } from "./selling/subscriptions/payment-notice.entity.ts";
import { SubscriptionChange } from "./selling/subscriptions/subscription-change.entity.ts";
import { ActivityProgress } from "./staff/dashboard/activity-progress.entity.ts";
import { DailyActivity } from "./staff/dashboard/daily-activity.entity.ts";
import { DeviceVersion } from "./staff/dashboard/device-version.entity.ts";
import { PersonalAccessToken } from "./access/personal-access-tokens/personal-access-token.entity.ts";
import { WebhookAttempt } from "./webhooks/endpoints/webhook-attempt.entity.ts";
import { WebhookDelivery } from "./webhooks/endpoints/webhook-delivery.entity.ts";
import { WebhookEndpoint } from "./webhooks/endpoints/webhook-endpoint.entity.ts";
import { WebhookEvent } from "./webhooks/endpoints/webhook-event.entity.ts";
import { Erasure } from "./privacy/erasure/erasure.entity.ts";
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
