import { brand } from "#schema/brand.ts";
import { formatDay } from "#schema/dates.ts";
import { formatFileSize } from "#schema/numbers.ts";
import { Button, defineEmail, Facts, LinkInFull, Note, Paragraph } from "#api/messaging/emails/template.tsx";

interface ReportReadyData {
  /** Name chosen by the owner of the report. */
  readonly name: string;
  /** Label of the kind of report. */
  readonly report: string;
  /** First day of the report, as `YYYY-MM-DD`. */
  readonly startDate: string;
  readonly endDate: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Expiry of the link. */
  readonly expiresAt: Date;
  readonly link: string;
}

/** Sends an admin the link to a scheduled report. The file itself requires a sign-in. */
export const reportReady = defineEmail<ReportReadyData>({
  name: "report-ready",
  sample: ({ at, publicUrl }) => ({
    name: "Activations of last week",
    report: "Licence Validations / Activations",
    startDate: "2026-11-28",
    endDate: "2026-12-04",
    fileName: "Licence-Validations-Activations-2026-11-28-to-2026-12-04.xlsx",
    sizeBytes: 1_284_551,
    expiresAt: at,
    link: `${publicUrl}/admin/report-file/?t=secret`,
  }),
  subject: ({ name }) => `Your report is ready: ${name}`,
  preview: (data) => `${formatPeriod(data)}. The link works for 7 days.`,
  because: `you scheduled this report in the ${brand.name} portal. You can change or stop it under Reports.`,
  heading: () => "Your report is ready",
  body: (data, { dateTime }) => (
    <>
      <Paragraph>Your scheduled report is ready. Sign in to download it.</Paragraph>
      <Facts
        facts={[
          ["Name", data.name],
          ["Report", data.report],
          ["Period", formatPeriod(data)],
          ["File", `${data.fileName}, ${formatFileSize(data.sizeBytes)}`],
        ]}
      />
      <Button href={data.link}>Download report</Button>
      <LinkInFull href={data.link} />
      <Note>Only you can use this link, signed in as an admin, until {dateTime(data.expiresAt)}.</Note>
    </>
  ),
});

/** Returns the days of a report, such as `28 Nov 2026 to 4 Dec 2026`, or its only day. */
function formatPeriod({ startDate, endDate }: ReportReadyData): string {
  return startDate === endDate ? formatDay(startDate) : `${formatDay(startDate)} to ${formatDay(endDate)}`;
}
