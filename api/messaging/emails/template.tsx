import type { ReactNode } from "react";
import { brand } from "#schema/brand.ts";
import { formatDate, formatDateTime, formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { colours, fonts } from "./look.ts";

/** The site that links in an email point to. Its URL has no trailing slash. */
interface Site {
  readonly publicUrl: string;
}

/** The site, and formatters of moments in the recipient's time zone. Days of accounting use `formatSellerDate`. */
interface EmailReader extends Site {
  /** False for a billing contact and the owner of a closed account, who can't open the pages of the account. */
  readonly canSignIn: boolean;
  /** Formats a date as `5 Dec 2026`. */
  readonly date: (moment: Date) => string;
  /** Formats a date and time with the zone, such as `5 Dec 2026, 2:25 pm AEST`. The end of a day is only that day. */
  readonly dateTime: (moment: Date) => string;
}

/** The recipient of an email, as far as its content depends on them. */
export interface EmailRecipient {
  /** Zone of the times in it. Default is that of the account with the recipient's address, otherwise the seller's. */
  readonly timeZone?: string | undefined;
  /** False for a recipient who can't open the pages of the account. Default is true. */
  readonly canSignIn?: boolean;
}

/** Returns what a template needs to know about the recipient. */
export function createReader(
  publicUrl: string,
  { timeZone = brand.timeZone, canSignIn = true }: EmailRecipient,
): EmailReader {
  return {
    publicUrl,
    canSignIn,
    date: (moment) => formatDate(moment, timeZone),
    dateTime: (moment) => formatDateTime(moment, timeZone),
  };
}

/** An email template: sample data, subject, preview line, heading and content. */
export interface EmailTemplate<Data> {
  /** The name of the template's file. */
  readonly name: string;
  /** True if the email contains a licence code or a move code. */
  readonly hasCode?: boolean;
  /** Returns data for the preview and the tests. */
  readonly sample: (common: SampleValues) => Data;
  subject(data: Data, reader: EmailReader): string;
  /** Returns the line shown after the subject in the recipient's inbox. */
  preview(data: Data, reader: EmailReader): string;
  /** Returns the heading. A greeting follows, except in an impersonal email. */
  heading(data: Data, reader: EmailReader): string;
  /** End of the sentence in the footer that says why the recipient got the email. Default: the address has an account. */
  readonly because?: string;
  body(data: Data, reader: EmailReader): ReactNode;
}

/** What the greeting of an email needs. */
interface Greeted {
  readonly firstName: string;
}

/** Values that several samples share. */
interface SampleValues extends Site, Greeted {
  readonly at: Date;
}

/** Returns a sample value whose type says that others can be null. */
export const orNull = <Value,>(value: Value): Value | null => value;

const templates = new Map<string, EmailTemplate<unknown>>();

/**
 * Adds a template to the list of templates and returns it. The sample gives its data a type; `Data` is for values whose
 * type a sample can't show, such as one that can be null. A greeting with the recipient's `firstName` is part of the email.
 */
export function defineEmail<Data>({ sample, ...template }: EmailTemplate<Data>): EmailTemplate<Data & Greeted> {
  return defineImpersonalEmail<Data & Greeted>({
    ...template,
    sample: (common) => ({ firstName: common.firstName, ...sample(common) }),
  });
}

/** Adds a template without a greeting, like {@link defineEmail}. */
export function defineImpersonalEmail<Data>(template: EmailTemplate<Data>): EmailTemplate<Data> {
  if (templates.has(template.name)) throw new Error(`Two email templates are named ${template.name}.`);
  templates.set(template.name, template);
  return template;
}

/** Returns the templates that are loaded, by name. A template is loaded with the module that sends it. */
export function getEmailTemplates(): ReadonlyMap<string, EmailTemplate<unknown>> {
  return new Map([...templates].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The link that undoes a change of the email address, with its effect. */
export function UndoEmailChange({ link }: { link: string }) {
  return (
    <>
      <Button href={link}>Undo the change</Button>
      <LinkInFull href={link} />
      <Note>
        This restores your old address, signs you out everywhere, and lets you choose a new password. The link works
        once and is valid for 7 days. If you need help, email <Support />
      </Note>
    </>
  );
}

/** The next payment of a subscription. */
export interface NextPayment {
  /** Amount in cents, including GST; null if it is unknown. */
  readonly amountCents: number | null;
  readonly at: Date;
}

/** Describes the next payment in a sentence, as every email about a subscription does. */
export function describeNextPayment({ amountCents, at }: NextPayment): string {
  const amount = amountCents === null ? "" : ` of ${formatAud(amountCents)}`;
  return `Your next payment${amount} is due on ${formatSellerDate(at)}.`;
}

/** The only heading of an email. */
export function Heading({ children }: { children: ReactNode }) {
  return (
    <h1
      className="text"
      style={{
        margin: "0 0 16px",
        fontSize: 24,
        lineHeight: "32px",
        fontWeight: 700,
        color: colours.light.text,
        fontFamily: fonts.text,
      }}
    >
      {children}
    </h1>
  );
}

/** Styles of a line of text, with the size and line height in pixels. */
function styleText(tone: "text" | "muted", fontSize: number, lineHeight: number, margin = "0 0 16px") {
  return { margin, fontSize, lineHeight: `${lineHeight}px`, color: colours.light[tone], fontFamily: fonts.text };
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <p className="text" style={styleText("text", 16, 24)}>
      {children}
    </p>
  );
}

/** Secondary text in a smaller, muted style. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p className="muted" style={styleText("muted", 14, 21)}>
      {children}
    </p>
  );
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="link" href={href} style={{ color: colours.light.link, textDecoration: "underline" }}>
      {children}
    </a>
  );
}

/** A link styled as a button. Outlook ignores padding on links, so the padding goes on a table cell. */
export function Button({ href, children }: { href: string; children: ReactNode }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0} style={{ margin: "8px 0 24px" }}>
      <tbody>
        <tr>
          <td className="button" style={{ borderRadius: 8, backgroundColor: colours.light.button }}>
            <a
              className="button-text"
              href={href}
              style={{
                display: "inline-block",
                padding: "13px 24px",
                fontSize: 16,
                lineHeight: "22px",
                fontWeight: 700,
                color: colours.light.buttonText,
                textDecoration: "none",
                fontFamily: fonts.text,
              }}
            >
              {children}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** The button's link in full, for email clients without buttons and readers who check links before they open them. */
export function LinkInFull({ href }: { href: string }) {
  return (
    <p data-skip-in-text="true" className="muted" style={{ ...styleText("muted", 14, 21), wordBreak: "break-all" }}>
      If the button doesn't work, copy this address into your browser:
      <br />
      <TextLink href={href}>{href}</TextLink>
    </p>
  );
}

/** A licence code that is easy to read aloud and to select. */
export function LicenceCode({ code }: { code: string }) {
  return (
    <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} border={0} style={{ margin: "0 0 20px" }}>
      <tbody>
        <tr>
          <td
            className="inset text"
            style={{
              padding: "16px 20px",
              borderRadius: 8,
              border: `1px solid ${colours.light.line}`,
              backgroundColor: colours.light.inset,
              color: colours.light.text,
              fontFamily: fonts.code,
              fontSize: 17,
              lineHeight: "26px",
              letterSpacing: "0.5px",
            }}
          >
            {code}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** A list of labelled values, such as `Device: LAPTOP-7`. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <div
      className="facts"
      style={{ margin: "0 0 20px", padding: "0 0 0 16px", borderLeft: `3px solid ${colours.light.line}` }}
    >
      {facts.map(([name, value]) => (
        <p key={name} className="text" style={{ ...styleText("text", 16, 24, "0 0 4px"), overflowWrap: "anywhere" }}>
          <span className="muted" style={{ color: colours.light.muted }}>
            {name}:
          </span>{" "}
          <strong>{value}</strong>
        </p>
      ))}
    </div>
  );
}

/**
 * The note with the support email address.
 * @param when a condition such as `you need help`
 */
export function HelpNote({ when }: { when: string }) {
  return (
    <Note>
      {`If ${when}, email `}
      <Support />
    </Note>
  );
}

/** A link to the support email address. */
export function Support() {
  const { email } = brand.mailboxes.support;
  return <TextLink href={`mailto:${email}`}>{email}</TextLink>;
}

/**
 * Renders the greeting, such as `Hello Ada,`. The name may come from someone who registered with a stranger's address,
 * so a name that looks like a link is left out to prevent advertising through our emails.
 */
export function Hello({ firstName }: { firstName: string }) {
  const looksLikeLink = /[/:@\\]|[\p{L}\p{N}]\.\p{L}{2}/u.test(firstName);
  return <Paragraph>{looksLikeLink ? "Hello," : `Hello ${firstName},`}</Paragraph>;
}
