import { toPlainText } from "@react-email/render";
import { renderToStaticMarkup } from "react-dom/server";
import { Heading, Hello, createReader, type EmailTemplate } from "./template.tsx";
import { Layout } from "./layout.tsx";

/** The doctype that email clients expect. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** A rendered email, as it is stored in the outbox. */
export interface RenderedEmail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Renders an email template. Links start with `publicUrl`; times are in `timeZone`, by default the seller's. */
export function renderEmail<Data>(
  publicUrl: string,
  { template, data, timeZone }: { template: EmailTemplate<Data>; data: NoInfer<Data>; timeZone?: string | undefined },
): RenderedEmail {
  const reader = createReader(publicUrl, timeZone);
  const { firstName } = data as { readonly firstName?: string };
  const subject = toSingleLine(template.subject(data, reader));
  const content = renderToStaticMarkup(
    <Layout subject={subject} preview={template.preview(data, reader)} because={template.because} publicUrl={publicUrl}>
      <Heading>{template.heading(data, reader)}</Heading>
      {firstName !== undefined && <Hello firstName={firstName} />}
      {template.body(data, reader)}
    </Layout>,
  );
  const html = `${DOCTYPE}${content}`;
  return { subject, html, text: toPlainText(html, { selectors: [{ selector: "h1", options: { uppercase: false } }] }) };
}

/** Renders an email template with its sample, in which `changes` replace values. */
export function renderSample<Data>(
  publicUrl: string,
  template: EmailTemplate<Data>,
  changes: Partial<Data> = {},
): RenderedEmail {
  const sample = template.sample({ firstName: "Ada", at: new Date("2026-12-05T04:25:00Z"), publicUrl });
  return renderEmail(publicUrl, { template, data: { ...sample, ...changes } });
}

/** Removes line breaks, because a line break in a subject could start a new email header. */
function toSingleLine(subject: string): string {
  return subject
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 255);
}
