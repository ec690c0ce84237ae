import { render, toPlainText } from "@react-email/render";
import { type AccountClosedData, accountClosed } from "./account-closed.tsx";
import { type AccountCreatedData, accountCreated } from "./account-created.tsx";
import { type AccountDeletedData, accountDeleted } from "./account-deleted.tsx";
import { type AlreadyRegisteredData, alreadyRegistered } from "./already-registered.tsx";
import { type ConfirmEmailData, confirmEmail } from "./confirm-email.tsx";
import { type ConfirmNewEmailData, confirmNewEmail } from "./confirm-new-email.tsx";
import { type ConfirmReminderData, confirmReminder } from "./confirm-reminder.tsx";
import { type ContactMessageData, contactMessage } from "./contact-message.tsx";
import { type DeviceDeactivatedData, deviceDeactivated } from "./device-deactivated.tsx";
import { type EmailChangeUndoneData, emailChangeUndone } from "./email-change-undone.tsx";
import { type EmailChangedData, emailChanged } from "./email-changed.tsx";
import { type EmailChangingData, emailChanging } from "./email-changing.tsx";
import { type InvitationData, invitation } from "./invitation.tsx";
import { Layout } from "./layout.tsx";
import { type LicenceDeactivatedData, licenceDeactivated } from "./licence-deactivated.tsx";
import { type LicenceReinstatedData, licenceReinstated } from "./licence-reinstated.tsx";
import { type LicenceIssuedData, licenceIssued } from "./licence-issued.tsx";
import { type LicenceExpiringData, licenceExpiring } from "./licence-expiring.tsx";
import type { EmailTemplate } from "./email-template.ts";
import { type MoveCodeData, moveCode } from "./move-code.tsx";
import { type NewSignInData, newSignIn } from "./new-sign-in.tsx";
import { type RegistrationClosedData, registrationClosed } from "./registration-closed.tsx";
import { type PasswordChangedData, passwordChanged } from "./password-changed.tsx";
import { type PersonalAccessTokenData, personalAccessToken } from "./personal-access-token.tsx";
import { type RecoveryCodeUsedData, recoveryCodeUsed } from "./recovery-code-used.tsx";
import { type ReportReadyData, reportReady } from "./report-ready.tsx";
import { type ResetPasswordData, resetPassword } from "./reset-password.tsx";
import { type SecurityAlertData, securityAlert } from "./security-alert.tsx";
import { type InvoiceCancelledData, invoiceCancelled } from "./invoice-cancelled.tsx";
import { type InvoiceIssuedData, invoiceIssued } from "./invoice-issued.tsx";
import { type InvoicePaidData, invoicePaid } from "./invoice-paid.tsx";
import { type InvoiceReminderData, invoiceReminder } from "./invoice-reminder.tsx";
import { type QuoteData, quote } from "./quote.tsx";
import { type TaxInvoiceData, taxInvoice } from "./tax-invoice.tsx";
import { type PlanChangedData, planChanged } from "./plan-changed.tsx";
import { type PriceChangingData, priceChanging } from "./price-changing.tsx";
import { type PaymentFailedData, paymentFailed } from "./payment-failed.tsx";
import { type SubscriptionStartedData, subscriptionStarted } from "./subscription-started.tsx";
import { type SubscriptionPausedData, subscriptionPaused } from "./subscription-paused.tsx";
import { type SubscriptionUnpausedData, subscriptionUnpaused } from "./subscription-unpaused.tsx";
import { type SubscriptionResumedData, subscriptionResumed } from "./subscription-resumed.tsx";
import { type SubscriptionCancelledData, subscriptionCancelled } from "./subscription-cancelled.tsx";
import { type SubscriptionEndedData, subscriptionEnded } from "./subscription-ended.tsx";
import { type SubscriptionRenewedData, subscriptionRenewed } from "./subscription-renewed.tsx";
import { type UpdateCardData, updateCard } from "./update-card.tsx";
import { type TrialEndedData, trialEnded } from "./trial-ended.tsx";
import { type TrialEndingData, trialEnding } from "./trial-ending.tsx";
import { type TrialStartedData, trialStarted } from "./trial-started.tsx";
import { type StaffRolesChangedData, staffRolesChanged } from "./staff-roles-changed.tsx";
import { type TwoStepChangedData, twoStepChanged } from "./two-step-changed.tsx";
import { type WebhookEndpointChangedData, webhookEndpointChanged } from "./webhook-endpoint-changed.tsx";
import { type WebhookEndpointOffData, webhookEndpointOff } from "./webhook-endpoint-off.tsx";

/** The email templates and the data each one needs. */
export interface EmailTemplates {
  "confirm-email": ConfirmEmailData;
  "already-registered": AlreadyRegisteredData;
  "confirm-new-email": ConfirmNewEmailData;
  "email-changing": EmailChangingData;
  "email-changed": EmailChangedData;
  "email-change-undone": EmailChangeUndoneData;
  "reset-password": ResetPasswordData;
  "password-changed": PasswordChangedData;
  "trial-started": TrialStartedData;
  "trial-ending": TrialEndingData;
  "trial-ended": TrialEndedData;
  "device-deactivated": DeviceDeactivatedData;
  "licence-expiring": LicenceExpiringData;
  "move-code": MoveCodeData;
  "licence-issued": LicenceIssuedData;
  "licence-deactivated": LicenceDeactivatedData;
  "licence-reinstated": LicenceReinstatedData;
  "new-sign-in": NewSignInData;
  "security-alert": SecurityAlertData;
  "personal-access-token": PersonalAccessTokenData;
  "confirm-reminder": ConfirmReminderData;
  "registration-closed": RegistrationClosedData;
  "account-created": AccountCreatedData;
  "account-closed": AccountClosedData;
  "account-deleted": AccountDeletedData;
  "contact-message": ContactMessageData;
  "staff-roles-changed": StaffRolesChangedData;
  "two-step-changed": TwoStepChangedData;
  "recovery-code-used": RecoveryCodeUsedData;
  "tax-invoice": TaxInvoiceData;
  "invoice-issued": InvoiceIssuedData;
  "invoice-paid": InvoicePaidData;
  "invoice-cancelled": InvoiceCancelledData;
  "invoice-reminder": InvoiceReminderData;
  quote: QuoteData;
  "subscription-renewed": SubscriptionRenewedData;
  "subscription-ended": SubscriptionEndedData;
  "subscription-cancelled": SubscriptionCancelledData;
  "subscription-resumed": SubscriptionResumedData;
  "subscription-paused": SubscriptionPausedData;
  "subscription-unpaused": SubscriptionUnpausedData;
  "subscription-started": SubscriptionStartedData;
  "payment-failed": PaymentFailedData;
  "plan-changed": PlanChangedData;
  "price-changing": PriceChangingData;
  "update-card": UpdateCardData;
  invitation: InvitationData;
  "report-ready": ReportReadyData;
  "webhook-endpoint-changed": WebhookEndpointChangedData;
  "webhook-endpoint-off": WebhookEndpointOffData;
}

export type EmailTemplateName = keyof EmailTemplates;

const templates: { readonly [Name in EmailTemplateName]: EmailTemplate<EmailTemplates[Name]> } = {
  "confirm-email": confirmEmail,
  "already-registered": alreadyRegistered,
  "confirm-new-email": confirmNewEmail,
  "email-changing": emailChanging,
  "email-changed": emailChanged,
  "email-change-undone": emailChangeUndone,
  "reset-password": resetPassword,
  "password-changed": passwordChanged,
  "trial-started": trialStarted,
  "trial-ending": trialEnding,
  "trial-ended": trialEnded,
  "device-deactivated": deviceDeactivated,
  "licence-expiring": licenceExpiring,
  "move-code": moveCode,
  "licence-issued": licenceIssued,
  "licence-deactivated": licenceDeactivated,
  "licence-reinstated": licenceReinstated,
  "new-sign-in": newSignIn,
  "security-alert": securityAlert,
  "personal-access-token": personalAccessToken,
  "confirm-reminder": confirmReminder,
  "registration-closed": registrationClosed,
  "account-created": accountCreated,
  "account-closed": accountClosed,
  "account-deleted": accountDeleted,
  "contact-message": contactMessage,
  "staff-roles-changed": staffRolesChanged,
  "two-step-changed": twoStepChanged,
  "recovery-code-used": recoveryCodeUsed,
  "tax-invoice": taxInvoice,
  "invoice-issued": invoiceIssued,
  "invoice-paid": invoicePaid,
  "invoice-cancelled": invoiceCancelled,
  "invoice-reminder": invoiceReminder,
  quote,
  "subscription-renewed": subscriptionRenewed,
  "subscription-ended": subscriptionEnded,
  "subscription-cancelled": subscriptionCancelled,
  "subscription-resumed": subscriptionResumed,
  "subscription-paused": subscriptionPaused,
  "subscription-unpaused": subscriptionUnpaused,
  "subscription-started": subscriptionStarted,
  "payment-failed": paymentFailed,
  "plan-changed": planChanged,
  "price-changing": priceChanging,
  "update-card": updateCard,
  invitation,
  "report-ready": reportReady,
  "webhook-endpoint-changed": webhookEndpointChanged,
  "webhook-endpoint-off": webhookEndpointOff,
};

/** A rendered email, as it is stored in the outbox. */
export interface RenderedEmail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Renders an email template. Links start with `publicUrl`. */
export async function renderEmail<Name extends EmailTemplateName>(
  publicUrl: string,
  { template: name, data }: { template: Name; data: EmailTemplates[Name] },
): Promise<RenderedEmail> {
  const template: EmailTemplate<EmailTemplates[Name]> = templates[name];
  const subject = toSingleLine(template.subject(data));
  const html = await render(
    <Layout subject={subject} preview={template.preview(data)} because={template.because} publicUrl={publicUrl}>
      {template.body(data, { publicUrl })}
    </Layout>,
  );
  return { subject, html, text: toPlainText(html, { selectors: [{ selector: "h1", options: { uppercase: false } }] }) };
}

/** Removes line breaks, because a line break in a subject could start a new email header. */
function toSingleLine(subject: string): string {
  return subject
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 255);
}
