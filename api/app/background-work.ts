import { renderInvoiceAttachment } from "#api/billing/invoices/invoice-file.ts";
import { deliverEmail, purgeEmails } from "#api/messaging/emails/deliver-email.ts";
import { resealEmails } from "#api/messaging/emails/sealed-content.ts";
import { releaseOldAddresses } from "#api/access/registration/email-changes.ts";
import { closeUnconfirmed, remindUnconfirmed } from "#api/access/registration/unconfirmed-registrations.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { processBulkRun, cleanUpBulkRuns } from "#api/staff/bulk/process-bulk-run.ts";
import { recordEndedViews } from "#api/access/sessions/view-as-customer.ts";
import { cleanUpLeases } from "#api/licensing/leases/release-lease.ts";
import { announceExpiries, sendExpiryReminders } from "#api/licensing/licences/announce-expiries.ts";
import { measureLeaks } from "#api/licensing/leaks/measure-leaks.ts";
import { archiveEventMonths } from "#api/licensing/licences/archive-event-months.ts";
import { maintainEventPartitions } from "#api/licensing/licences/maintain-event-partitions.ts";
import { finishCardPayments } from "#api/billing/payments/finish-card-payment.ts";
import { endDuePauses } from "#api/billing/subscriptions/record-pause.ts";
import { retryPendingCancellations } from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import {
  applyPendingEvents,
  fetchMissedEvents,
  settleCheckouts,
} from "#api/billing/subscriptions/reconcile-payments.ts";
import { finishActions } from "#api/billing/subscriptions/finish-action.ts";
import { finishRefunds } from "#api/billing/refunds/finish-refund.ts";
import { eraseTimeZones, eraseUser, resumeErasures } from "#api/privacy/erasure/run-erasure.ts";
import { sendLastLink, sendSecurityEvents } from "#api/webhooks/endpoints/send-security-events.ts";
import { alertOwners } from "#api/staff/security-events/alert-owners.ts";
import { deleteOrphanedFiles } from "#api/releases/software/delete-orphaned-files.ts";
import { syncPayments } from "#api/billing/subscriptions/sync-customer.ts";
import { emailTrialEnds } from "#api/licensing/trials/email-trial-ends.ts";
import { resealAppSecrets } from "#api/access/two-step/second-factor.ts";
import { deleteExpiredReportFiles } from "#api/staff/saved-reports/report-files.ts";
import { startDueReports } from "#api/staff/saved-reports/start-due-reports.ts";
import { writeDueReport } from "#api/staff/saved-reports/write-due-report.ts";
import { deliverWebhook } from "#api/webhooks/endpoints/deliver-webhook.ts";
import { purgeWebhookLog, queueDueWebhooks, resealWebhookSecrets } from "#api/webhooks/endpoints/sweeps.ts";
import { resealAuditKey } from "#api/audit/chain/audit-key.ts";
import { sealEntries, logLastLink } from "#api/audit/chain/seal-entries.ts";
import { purgeSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import { checkBooks } from "#api/billing/journal/check-books.ts";
import { compareWithProvider } from "#api/billing/journal/compare-with-provider.ts";
import { applyScheduledPrices } from "#api/billing/plans/price-versions.ts";
import { continueMoves, moveSubscriber } from "#api/billing/prices/move-subscribers.ts";
import { unifyStoredUsers } from "#api/staff/users/unify-stored-users.ts";
import { purges } from "#api/privacy/personal-data.ts";
import { renderQuoteAttachment } from "#api/billing/quotes/quote-file.ts";
import type { AttachmentWriters } from "#api/messaging/emails/email.entity.ts";
import { sendInvoiceReminders } from "#api/billing/invoices/send-invoice-reminders.ts";
import type { BackgroundWork } from "#api/platform/jobs/jobs.ts";

/** Functions that create the files attached to emails. */
export const attachmentWriters: AttachmentWriters = {
  "tax-invoice": renderInvoiceAttachment,
  quote: renderQuoteAttachment,
};

/** The product's background work: handlers of queued jobs and periodic sweeps. */
export const backgroundWork: BackgroundWork = {
  handlers: {
    "deliver-mail": (context, data) => deliverEmail(context, data, attachmentWriters),
    "sync-payments": syncPayments,
    "run-bulk": processBulkRun,
    "write-report": writeDueReport,
    "deliver-webhook": deliverWebhook,
    "erase-user": eraseUser,
    "move-subscriber": moveSubscriber,
  },
  sweeps: [
    applyScheduledPrices,
    checkBooks,
    compareWithProvider,
    applyPendingEvents,
    fetchMissedEvents,
    settleCheckouts,
    retryPendingCancellations,
    endDuePauses,
    continueMoves,
    finishRefunds,
    finishActions,
    finishCardPayments,
    emailTrialEnds,
    cleanUpLeases,
    sendExpiryReminders,
    announceExpiries,
    measureLeaks,
    sendInvoiceReminders,
    remindUnconfirmed,
    closeUnconfirmed,
    releaseOldAddresses,
    recordEndedViews,
    resealAppSecrets,
    deleteOrphanedFiles,
    maintainEventPartitions,
    archiveEventMonths,
    countActivity,
    cleanUpBulkRuns,
    startDueReports,
    deleteExpiredReportFiles,
    queueDueWebhooks,
    purgeWebhookLog,
    resealWebhookSecrets,
    resumeErasures,
    eraseTimeZones,
    purgeEmails,
    resealEmails,
    sealEntries,
    logLastLink,
    alertOwners,
    sendSecurityEvents,
    sendLastLink,
    resealAuditKey,
    purgeSecurityEvents,
    unifyStoredUsers,
    ...purges,
  ],
};
