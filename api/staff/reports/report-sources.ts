import type { ReportType } from "#schema/catalogue.ts";
import type { ReportSource } from "./report.ts";
import { blockedAttemptsReport } from "./blocked-attempts-report.ts";
import { blockedMachinesReport } from "./blocked-machines-report.ts";
import { commentsReport } from "./comments-report.ts";
import { contactsReport } from "./contacts-report.ts";
import { deactivationsReport } from "./deactivations-report.ts";
import { invoicesReport } from "./invoices-report.ts";
import { licencesReport } from "./licences-report.ts";
import { usersReport } from "./users-report.ts";
import { validationsReport } from "./validations-report.ts";

/** The reports by their numbers (`reportTypes`). */
export const reportSources: Readonly<Record<ReportType, ReportSource>> = {
  1: usersReport,
  2: contactsReport,
  3: commentsReport,
  4: licencesReport,
  5: invoicesReport,
  6: validationsReport,
  7: deactivationsReport,
  8: blockedMachinesReport,
  9: blockedAttemptsReport,
};
