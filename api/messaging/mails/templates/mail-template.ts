import type { ReactNode } from "react";
import { brand } from "#schema/brand.ts";
import { formatDate, formatDateTime, formatTableDate } from "#schema/dates.ts";

/** Where the mail's links lead; without a trailing slash. */
export interface Site {
  readonly publicUrl: string;
}

/** One kind of mail: its subject, the line a mailbox shows beside it, and its content. */
export interface MailTemplate<Data> {
  subject(data: Data): string;
  /** A few words that follow the subject in the list of a mailbox. */
  preview(data: Data): string;
  /** Why the person gets this mail, for its last line. */
  readonly because: string;
  body(data: Data, site: Site): ReactNode;
}

/** Returns the vendor's date as `05/12/2026`: for the columns of documents. */
export function dayAlone(moment: Date): string {
  return formatTableDate(moment, brand.timeZone);
}

/** Returns the vendor's date as `5 Dec 2026`: for emails and for sentences about money. */
export function formatSellerDate(moment: Date): string {
  return formatDate(moment, brand.timeZone);
}

/** Returns the vendor's date and time with the time zone, `5 Dec 2026, 2:25 pm AEST`: emails are read in any time zone. */
export function dayAndTime(moment: Date): string {
  return formatDateTime(moment, brand.timeZone);
}
