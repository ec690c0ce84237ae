import { Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "#schema/brand.ts";
import { formatSellerDateTime } from "#schema/dates.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { openContent } from "#api/messaging/emails/sealed-content.ts";
import type { Services } from "#api/platform/context.ts";
import { type EntityManager, escapeLike } from "#api/platform/database/database.ts";

/** An email as `GET /dev/mail.json` returns it. */
interface MailboxEntry {
  readonly id: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Time the email was sent, or written if it hasn't been sent yet. */
  readonly sentAt: string;
  /** Attachments, with their paths on this server; undefined for emails without attachments. */
  readonly attachments?: readonly { readonly filename: string; readonly url: string }[];
}

/** Shown for an email whose content was encrypted with a key that has been removed. */
const UNREADABLE = "This email was encrypted with a key that has been removed.";

/** Returns an email with readable bodies. */
export function openEmail(keys: Services["encryptionKeys"], email: Email): Email {
  return Object.assign(email, openContent(keys, email) ?? { text: UNREADABLE, html: UNREADABLE });
}

/** Returns all emails, or only those to an address (ignoring case), most recently written first. */
export async function listEmails(
  em: EntityManager,
  keys: Services["encryptionKeys"],
  to: string | undefined,
  limit?: number,
): Promise<MailboxEntry[]> {
  const emails = await em.find(Email, to ? { to: { $ilike: escapeLike(to) } } : {}, {
    orderBy: { number: "desc" },
    ...(limit ? { limit } : {}),
  });
  return emails.map((email) => toMailboxEntry(openEmail(keys, email)));
}

function toMailboxEntry(email: Email): MailboxEntry {
  return {
    id: email.id,
    to: email.to,
    replyTo: email.replyTo,
    subject: email.subject,
    text: email.text,
    html: email.html,
    sentAt: (email.sentAt ?? email.createdAt).toISOString(),
    ...(email.attachment
      ? { attachments: [{ filename: email.attachment.filename, url: `/dev/mail/${email.id}/attachment` }] }
      : {}),
  };
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#10201d, #e6efeb); --muted: light-dark(#4c5f5a, #a9b9b3);
  --paper: light-dark(#f6f8f7, #0c1412); --card: light-dark(#fff, #121c19); --line: light-dark(#dbe3e0, #24342f);
  --brand: light-dark(#0a6654, #4fd0b0); --soft: light-dark(#e1f3ed, #12352c); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; padding: 14px 20px; border-bottom: 1px solid var(--line); background: var(--card); }
h1 { margin: 0; font-size: 18px; }
h2 { margin: 0 0 8px; font-size: 20px; overflow-wrap: anywhere; }
form { display: flex; gap: 8px; align-items: center; margin-left: auto; }
input, button { font: inherit; padding: 6px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: inherit; }
button { background: var(--brand); color: var(--card); border-color: transparent; cursor: pointer; }
a { color: var(--brand); }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
main { display: grid; grid-template-columns: minmax(260px, 360px) minmax(0, 1fr); min-height: calc(100vh - 66px); }
@media (max-width: 760px) { main { grid-template-columns: 1fr; } nav { border-right: 0; max-height: 40vh; } }
nav { border-right: 1px solid var(--line); overflow: auto; max-height: calc(100vh - 66px); }
nav ol { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 12px 20px; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a[aria-current] { background: var(--soft); }
nav a:hover { background: var(--card); }
nav strong { display: block; }
small, dt { color: var(--muted); font-size: 13px; }
article { padding: 20px; min-width: 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0 0 16px; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 70vh; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); font: 14px/1.6 ui-monospace, monospace; }
p { padding: 20px; margin: 0; color: var(--muted); }`;

interface MailboxPageProps {
  readonly emails: readonly MailboxEntry[];
  /** Id of the email to show. If no email has it, the newest is shown. */
  readonly id: string | undefined;
  /** Address to filter by, or an empty string. */
  readonly to: string;
  readonly now: Date;
  /** True if emails are also sent to an SMTP server. */
  readonly isSent: boolean;
}

/** Returns the development mailbox as a page without scripts, newest email first. */
export function renderMailboxPage({ emails, id, to, now, isSent }: MailboxPageProps): string {
  const shown = emails.find((email) => email.id === id) ?? emails[0];
  const getAddress = (email: MailboxEntry) => `?${new URLSearchParams({ ...(to ? { to } : {}), id: email.id })}`;
  return renderEmailsPage(
    `Mailbox (${emails.length})`,
    <>
      <h1>Mailbox</h1>
      <small>
        {isSent ? "These emails were also sent to the SMTP server." : "No email has left this machine."} The
        application's time is {formatSellerDateTime(now)}. <a href="/dev/mail/preview">All email templates</a>
      </small>
      <form>
        <label htmlFor="to">To</label>
        <input id="to" name="to" type="search" defaultValue={to} placeholder="ada@demo.test" />
        <button type="submit">Show</button>
      </form>
    </>,
    <>
      <nav aria-label="Emails">
        {emails.length === 0 ? <p>No emails{to ? ` to ${to}` : " yet"}.</p> : null}
        <ol>
          {emails.map((email) => (
            <li key={email.id}>
              <a href={getAddress(email)} aria-current={email === shown ? "true" : undefined}>
                <strong>{email.subject}</strong>
                <small>
                  {email.to} · {formatSellerDateTime(new Date(email.sentAt))}
                </small>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {shown ? <EmailDetails email={shown} /> : null}
    </>,
  );
}

/** Renders a page without scripts that shows a list next to the selected email. */
export function renderEmailsPage(title: string, header: ReactNode, main: ReactNode): string {
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${brand.name}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant whose quotes React would escape */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <header>{header}</header>
        <main>{main}</main>
      </body>
    </html>,
  )}`;
}

function EmailDetails({ email }: { email: MailboxEntry }) {
  return (
    <EmailArticle {...email} address={`/dev/mail/${email.id}/html`}>
      <dl>
        <dt>To</dt>
        <dd>{email.to}</dd>
        {email.replyTo ? (
          <>
            <dt>Reply to</dt>
            <dd>{email.replyTo}</dd>
          </>
        ) : null}
        <dt>Sent</dt>
        <dd>{formatSellerDateTime(new Date(email.sentAt))}</dd>
        {email.attachments?.map(({ filename, url }) => (
          <Fragment key={url}>
            <dt>Attachment</dt>
            <dd>
              <a href={url} download>
                {filename}
              </a>
            </dd>
          </Fragment>
        ))}
      </dl>
    </EmailArticle>
  );
}

interface EmailArticleProps {
  readonly subject: string;
  readonly text: string;
  /** Address of the HTML document. */
  readonly address: string;
  readonly children?: ReactNode;
}

/** Shows both bodies of an email. */
export function EmailArticle({ subject, text, address, children }: EmailArticleProps) {
  return (
    <article>
      <h2>{subject}</h2>
      {children}
      <iframe title={subject} src={address} sandbox="allow-popups allow-popups-to-escape-sandbox" />
      <details>
        <summary>Plain text</summary>
        <pre>{text}</pre>
      </details>
    </article>
  );
}
