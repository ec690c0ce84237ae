import { invoiceAttachment } from "#api/selling/invoices/invoice-file.ts";
import { deliverMail } from "#api/messaging/mails/deliver-mail.ts";
import { closeUnconfirmed, remindUnconfirmed } from "#api/access/registration/unconfirmed.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { runBulk, tidyBulkRuns } from "#api/staff/bulk/run-bulk.ts";
import { noteEndedViews } from "#api/access/sessions/view-as-customer.ts";
import { cullLeases } from "#api/licensing/leases/cull-leases.ts";
import { announceExpiringLicences } from "#api/licensing/licences/announce-expiring-licences.ts";
import { keepEventPartitions } from "#api/licensing/licences/keep-event-partitions.ts";
import { retryPendingCancellations } from "#api/selling/subscriptions/cancel-for-closed-account.ts";
import {
  applyWaitingNotices,
  fetchLostNotices,
  settleCheckouts,
} from "#api/selling/subscriptions/reconcile-payments.ts";
import { eraseUser, resumeErasures } from "#api/privacy/erasure/run-erasure.ts";
import { purgeMails } from "#api/messaging/mails/purge-mails.ts";
import { forgetStrayFiles } from "#api/releases/software/forget-stray-files.ts";
import { syncPayments } from "#api/selling/subscriptions/sync-customer.ts";
import { announceTrialEnds } from "#api/licensing/trials/announce-trial-ends.ts";
import { resealAppSecrets } from "#api/access/two-step/upkeep.ts";
import { forgetReportFiles } from "#api/staff/saved-reports/report-files.ts";
import { startDueReports } from "#api/staff/saved-reports/start-due-reports.ts";
import { writeDueReport } from "#api/staff/saved-reports/write-due-report.ts";
import { deliverWebhook } from "#api/webhooks/endpoints/deliver-webhook.ts";
import { purgeWebhookLog, queueDueWebhooks, resealWebhookSecrets } from "#api/webhooks/endpoints/upkeep.ts";
import { purges } from "#api/privacy/personal-data.ts";
import type { Work } from "#api/platform/jobs.ts";

/** The product's background work: handlers of queued jobs and periodic sweeps. */
export const work: Work = {
  handlers: {
    "deliver-mail": (context, data) => deliverMail(context, data, { "tax-invoice": invoiceAttachment }),
    "sync-payments": syncPayments,
    "run-bulk": runBulk,
    "write-report": writeDueReport,
    "deliver-webhook": deliverWebhook,
    "erase-user": eraseUser,
  },
  dueWork: [
    applyWaitingNotices,
    fetchLostNotices,
    settleCheckouts,
    retryPendingCancellations,
    announceTrialEnds,
    cullLeases,
    announceExpiringLicences,
    remindUnconfirmed,
    closeUnconfirmed,
    noteEndedViews,
    resealAppSecrets,
    forgetStrayFiles,
    keepEventPartitions,
    countActivity,
    tidyBulkRuns,
    startDueReports,
    forgetReportFiles,
    queueDueWebhooks,
    purgeWebhookLog,
    resealWebhookSecrets,
    resumeErasures,
    purgeMails,
    ...purges,
  ],
};
