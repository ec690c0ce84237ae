import { invoiceAttachment } from "./selling/invoices/invoice-file.ts";
import { deliverMail } from "./messaging/mails/deliver-mail.ts";
import { purgeEmailTokens } from "./access/registration/purge-email-tokens.ts";
import { closeUnconfirmed, remindUnconfirmed } from "./access/registration/unconfirmed.ts";
import { countActivity } from "./staff/dashboard/count-activity.ts";
import { runBulk, tidyBulkRuns } from "./staff/bulk/run-bulk.ts";
import { purgeTokens } from "./access/personal-access-tokens/purge-tokens.ts";
import { purgeSessions } from "./access/sessions/purge-sessions.ts";
import { noteEndedViews } from "./access/sessions/view-as-customer.ts";
import { cullLeases } from "./licensing/leases/cull-leases.ts";
import { announceExpiringLicences } from "./licensing/licences/announce-expiring-licences.ts";
import { keepEventPartitions } from "./licensing/licences/keep-event-partitions.ts";
import { purgeDeviceAuthorizations } from "./licensing/device-authorizations/purge-device-authorizations.ts";
import { purgeMoveCodes } from "./licensing/move-codes/purge-move-codes.ts";
import { retryPendingCancellations } from "./selling/subscriptions/cancel-for-closed-account.ts";
import { purgePaymentNotices } from "./selling/subscriptions/purge-notices.ts";
import { applyWaitingNotices, fetchLostNotices, settleCheckouts } from "./selling/subscriptions/reconcile-payments.ts";
import { eraseUser, resumeErasures } from "./privacy/erasure/run-erasure.ts";
import { purgeMails } from "./messaging/mails/purge-mails.ts";
import { forgetStrayFiles } from "./releases/software/forget-stray-files.ts";
import { syncPayments } from "./selling/subscriptions/sync-payments.ts";
import { announceTrialEnds } from "./licensing/trials/announce-trial-ends.ts";
import { purgeTwoStepChallenges, resealAppSecrets } from "./access/two-step/upkeep.ts";
import { forgetReportFiles } from "./staff/saved-reports/report-files.ts";
import { startDueReports } from "./staff/saved-reports/start-due-reports.ts";
import { writeDueReport } from "./staff/saved-reports/write-due-report.ts";
import { deliverWebhook } from "./webhooks/endpoints/deliver-webhook.ts";
import { purgeWebhookLog, queueDueWebhooks, resealWebhookSecrets } from "./webhooks/endpoints/upkeep.ts";
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
