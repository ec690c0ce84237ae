import type { ReactNode } from "react";
import { brand } from "#schema/brand.ts";
import { formatDate, formatDateTime } from "#schema/dates.ts";

/** The site that links in an email point to. Its URL has no trailing slash. */
export interface Site {
  readonly publicUrl: string;
}

/** An email template: subject, preview line and content. */
export interface EmailTemplate<Data> {
  subject(data: Data): string;
  /** Returns the line shown after the subject in the recipient's inbox. */
  preview(data: Data): string;
  /** The reason the recipient received the email, shown in the footer. */
  readonly because: string;
  body(data: Data, site: Site): ReactNode;
}

/** Returns the date in the vendor's time zone as `5 Dec 2026`, for emails and sentences about money. */
export function formatSellerDate(moment: Date): string {
  return formatDate(moment, brand.timeZone);
}

/** Returns the date and time in the vendor's time zone, such as `5 Dec 2026, 2:25 pm AEST`. */
export function formatSellerDateTime(moment: Date): string {
  return formatDateTime(moment, brand.timeZone);
}
