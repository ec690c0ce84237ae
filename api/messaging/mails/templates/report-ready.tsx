import { brand } from "#schema/brand.ts";
import { fileSize } from "#schema/numbers.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, LinkInFull, Note, Paragraph } from "./parts.tsx";

export interface ReportReadyData {
  readonly firstName: string;
  /** What its owner calls it. */
  readonly name: string;
  /** The kind of report in words. */
  readonly report: string;
  /** First and last day that it tells of, `YYYY-MM-DD`. */
  readonly startDate: string;
  readonly endDate: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Until when the link works. */
  readonly expiresAt: Date;
  readonly link: string;
}

const shown = (day: string) => day.split("-").reverse().join("/");

/** Brings an admin the link to a report that was due; the file itself stays behind the sign-in (decision 0039). */
export const reportReady: MailTemplate<ReportReadyData> = {
  subject: ({ name }) => `Your report is ready: ${name}`,
  preview: ({ startDate, endDate }) => `From ${shown(startDate)} to ${shown(endDate)}. The link works for 7 days.`,
  because: `You get this mail because you scheduled this report in the ${brand.name} portal. Change or stop it under Reports.`,
  body: ({ firstName, name, report, startDate, endDate, fileName, sizeBytes, expiresAt, link }) => (
    <>
      <Heading>Your report is ready</Heading>
      <Hello firstName={firstName} />
      <Paragraph>The report you scheduled has been written. Sign in to download it.</Paragraph>
      <Facts
        facts={[
          ["Name", name],
          ["Report", report],
          ["Period", startDate === endDate ? shown(startDate) : `${shown(startDate)} to ${shown(endDate)}`],
          ["File", `${fileName}, ${fileSize(sizeBytes)}`],
        ]}
      />
      <Button href={link}>Download the report</Button>
      <LinkInFull href={link} />
      <Note>
        The link works until {dayAndTime(expiresAt)}, for you alone and only while you are signed in as an admin.
      </Note>
    </>
  ),
};
