import type { ReactNode } from "react";
import { brand } from "#schema/brand.ts";
import { formatDate, formatDateTime } from "#schema/dates.ts";

/** The site that links in an email point to. Its URL has no trailing slash. */
interface Site {
  readonly publicUrl: string;
}

/** The site, and formatters of moments in the recipient's time zone. Days of accounting use `formatSellerDate`. */
export interface EmailReader extends Site {
  /** Formats a date as `5 Dec 2026`. */
  readonly date: (moment: Date) => string;
  /** Formats a date and time with the zone, such as `5 Dec 2026, 2:25 pm AEST`. */
  readonly dateTime: (moment: Date) => string;
}

/** Returns what a template needs to know about the recipient. */
export function createReader(publicUrl: string, timeZone: string = brand.timeZone): EmailReader {
  return {
    publicUrl,
    date: (moment) => formatDate(moment, timeZone),
    dateTime: (moment) => formatDateTime(moment, timeZone),
  };
}

/** An email template: sample data, subject, preview line and content. */
export interface EmailTemplate<Data> {
  /** The name of the template's file. */
  readonly name: string;
  /** True if the email contains a licence code or a move code. */
  readonly hasCode?: boolean;
  /** Returns data for the preview and the tests. */
  sample(common: SampleValues): Data;
  subject(data: Data, reader: EmailReader): string;
  /** Returns the line shown after the subject in the recipient's inbox. */
  preview(data: Data, reader: EmailReader): string;
  /** The reason the recipient received the email, shown in the footer. */
  readonly because: string;
  body(data: Data, reader: EmailReader): ReactNode;
}

/** Values that several samples share. */
interface SampleValues extends Site {
  readonly firstName: string;
  readonly at: Date;
}

const templates = new Map<string, EmailTemplate<unknown>>();

/**
 * Adds a template to the list of templates and returns it. The sample gives its data a type; `Data` is for values whose
 * type a sample can't show, such as one that can be null.
 */
export function defineEmail<Data>(template: EmailTemplate<Data>): EmailTemplate<Data> {
  if (templates.has(template.name)) throw new Error(`Two email templates are named ${template.name}.`);
  templates.set(template.name, template);
  return template;
}

/** Returns the templates that are loaded, by name. A template is loaded with the module that sends it. */
export function getEmailTemplates(): ReadonlyMap<string, EmailTemplate<unknown>> {
  return new Map([...templates].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
