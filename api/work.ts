import { invoiceAttachment } from "./features/invoices/invoice-file.ts";
import { deliverMail } from "./features/mails/deliver-mail.ts";
import { purgeEmailTokens } from "./features/accounts/purge-email-tokens.ts";
import { closeUnconfirmed, remindUnconfirmed } from "./features/accounts/unconfirmed.ts";
import { countActivity } from "./features/dashboard/count-activity.ts";
import { runBulk, tidyBulkRuns } from "./features/bulk/run-bulk.ts";
import { purgeTokens } from "./features/personal-access-tokens/purge-tokens.ts";
import { purgeSessions } from "./features/auth/purge-sessions.ts";
import { noteEndedViews } from "./features/auth/view-as-customer.ts";
import { cullLeases } from "./features/leases/cull-leases.ts";
import { announceExpiringLicences } from "./features/licences/announce-expiring-licences.ts";
import { keepEventPartitions } from "./features/licences/keep-event-partitions.ts";
import { purgeDeviceAuthorizations } from "./features/device-authorizations/purge-device-authorizations.ts";
import { purgeMoveCodes } from "./features/move-codes/purge-move-codes.ts";
import { retryPendingCancellations } from "./features/subscriptions/cancel-for-closed-account.ts";
import { purgePaymentNotices } from "./features/subscriptions/purge-notices.ts";
import { applyWaitingNotices, fetchLostNotices, settleCheckouts } from "./features/subscriptions/reconcile-payments.ts";
import { eraseUser, resumeErasures } from "./features/erasure/run-erasure.ts";
import { purgeMails } from "./features/mails/purge-mails.ts";
import { forgetStrayFiles } from "./features/software/forget-stray-files.ts";
import { syncPayments } from "./features/subscriptions/sync-payments.ts";
import { announceTrialEnds } from "./features/trials/announce-trial-ends.ts";
import { purgeTwoStepChallenges, resealAppSecrets } from "./features/two-step/upkeep.ts";
import { forgetReportFiles } from "./features/saved-reports/report-files.ts";
import { startDueReports } from "./features/saved-reports/start-due-reports.ts";
import { writeDueReport } from "./features/saved-reports/write-due-report.ts";
import { deliverWebhook } from "./features/webhooks/deliver-webhook.ts";
import { purgeWebhookLog, queueDueWebhooks, resealWebhookSecrets } from "./features/webhooks/upkeep.ts";
import type { Work } from "./platform/jobs.ts";

/** What the product does outside requests: the jobs it was given and the sweeps for what comes due. */
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
    purgePaymentNotices,
    announceTrialEnds,
    cullLeases,
    announceExpiringLicences,
    remindUnconfirmed,
    closeUnconfirmed,
    purgeEmailTokens,
    noteEndedViews,
    purgeSessions,
    purgeTokens,
    purgeTwoStepChallenges,
    purgeDeviceAuthorizations,
    purgeMoveCodes,
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
  ],
};
