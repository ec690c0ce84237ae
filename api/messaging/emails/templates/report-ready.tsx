import { brand } from "#schema/brand.ts";
import { formatFileSize } from "#schema/numbers.ts";
import { formatSellerDateTime, type EmailTemplate } from "./email-template.ts";
import { Button, Facts, Heading, Hello, LinkInFull, Note, Paragraph } from "./parts.tsx";

export interface ReportReadyData {
  readonly firstName: string;
  /** Name chosen by the owner of the report. */
  readonly name: string;
  /** Label of the kind of report. */
  readonly report: string;
  /** First and last day of the report, `YYYY-MM-DD`. */
  readonly startDate: string;
  readonly endDate: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Expiry of the link. */
  readonly expiresAt: Date;
  readonly link: string;
}

const formatDay = (day: string) => day.split("-").reverse().join("/");

/** Sends an admin the link to a scheduled report. The file itself requires a sign-in. */
export const reportReady: EmailTemplate<ReportReadyData> = {
  subject: ({ name }) => `Your report is ready: ${name}`,
  preview: ({ startDate, endDate }) =>
    `From ${formatDay(startDate)} to ${formatDay(endDate)}. The link works for 7 days.`,
  because: `You're receiving this email because you scheduled this report in the ${brand.name} portal. You can change or stop it under Reports.`,
  body: ({ firstName, name, report, startDate, endDate, fileName, sizeBytes, expiresAt, link }) => (
    <>
      <Heading>Your report is ready</Heading>
      <Hello firstName={firstName} />
      <Paragraph>Your scheduled report is ready. Sign in to download it.</Paragraph>
      <Facts
        facts={[
          ["Name", name],
          ["Report", report],
          ["Period", startDate === endDate ? formatDay(startDate) : `${formatDay(startDate)} to ${formatDay(endDate)}`],
          ["File", `${fileName}, ${formatFileSize(sizeBytes)}`],
        ]}
      />
      <Button href={link}>Download report</Button>
      <LinkInFull href={link} />
      <Note>Only you can use the link, while signed in as an admin, until {formatSellerDateTime(expiresAt)}.</Note>
    </>
  ),
};
