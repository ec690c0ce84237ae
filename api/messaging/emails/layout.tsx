import type { ComponentProps, ReactNode } from "react";
import { logoPath } from "#api/platform/brand-file.ts";
import { brand } from "#schema/brand.ts";
import { colours, fonts, styleSheet } from "./look.ts";
import { toPlainText } from "@react-email/render";
import { renderToStaticMarkup } from "react-dom/server";
import { Heading, Hello, createReader, type EmailRecipient, type EmailTemplate } from "./template.tsx";

interface LayoutProps {
  readonly subject: string;
  readonly preview: string;
  readonly because: string | undefined;
  readonly publicUrl: string;
  readonly children: ReactNode;
}

const layoutTable = {
  role: "presentation",
  width: "100%",
  cellPadding: 0,
  cellSpacing: 0,
  border: 0,
} satisfies ComponentProps<"table">;

const receivedForAccount = `this address belongs to an account at ${brand.name}.`;

/** Renders the frame of every email: the brand name, a card with the content, and the sender's details. */
function Layout({ subject, preview, because = receivedForAccount, publicUrl, children }: LayoutProps) {
  const { company } = brand;
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* Stops iPhones from turning numbers and dates into links. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{subject}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant; React would escape its quotes */}
        <style dangerouslySetInnerHTML={{ __html: styleSheet }} />
      </head>
      <body className="ground" style={{ margin: 0, padding: 0, backgroundColor: colours.light.ground }}>
        <div data-skip-in-text="true" style={{ display: "none", maxHeight: 0, overflow: "hidden", opacity: 0 }}>
          {preview}
          {/* Keeps the start of the body out of the preview line. */}
          {"\u00a0\u200c".repeat(60)}
        </div>
        <table {...layoutTable} className="ground" style={{ backgroundColor: colours.light.ground }}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: "32px 12px" }}>
                <table {...layoutTable} style={{ maxWidth: 600 }}>
                  <tbody>
                    <tr>
                      <td style={{ padding: "0 8px 20px" }}>
                        <a
                          data-skip-in-text="true"
                          className="text"
                          href={`${publicUrl}/`}
                          style={{
                            color: colours.light.text,
                            fontFamily: fonts.text,
                            fontSize: 18,
                            fontWeight: 700,
                            textDecoration: "none",
                          }}
                        >
                          {/* Most clients block images, so the name is text. */}
                          <img
                            src={`${publicUrl}${logoPath}`}
                            alt=""
                            // Otherwise React adds a link to preload it, which email clients could remove or count as tracking.
                            loading="lazy"
                            width={28}
                            height={28}
                            style={{ borderRadius: 6, marginRight: 10, verticalAlign: "middle" }}
                          />
                          {brand.name}
                        </a>
                      </td>
                    </tr>
                    <tr>
                      <td
                        className="card card-padding"
                        style={{
                          padding: "36px 40px",
                          borderRadius: 12,
                          border: `1px solid ${colours.light.line}`,
                          backgroundColor: colours.light.card,
                        }}
                      >
                        {children}
                      </td>
                    </tr>
                    <tr>
                      <td style={{ padding: "20px 8px 0" }}>
                        <FooterLine>{`You're receiving this email because ${because}`}</FooterLine>
                        <FooterLine>
                          {company.legalName}, ABN {company.abn}
                          <br />
                          {company.address}
                        </FooterLine>
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

function FooterLine({ children }: { children: ReactNode }) {
  return (
    <p
      className="muted"
      style={{
        margin: "0 0 8px",
        fontSize: 13,
        lineHeight: "19px",
        color: colours.light.muted,
        fontFamily: fonts.text,
      }}
    >
      {children}
    </p>
  );
}

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
  { template, data, ...recipient }: { template: EmailTemplate<Data>; data: NoInfer<Data> } & EmailRecipient,
): RenderedEmail {
  const reader = createReader(publicUrl, recipient);
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
    .slice(0, 255)
    .toWellFormed();
}
