import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "#schema/brand.ts";
import { formatSellerDateTime } from "#schema/dates.ts";
import { emailPagesStyle } from "./email-pages-style.ts";
import type { MailboxEntry } from "./mailbox.ts";

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
export function renderMailboxPage(props: MailboxPageProps): string {
  return `<!doctype html>${renderToStaticMarkup(<MailboxPage {...props} />)}`;
}

function MailboxPage({ emails, id, to, now, isSent }: MailboxPageProps) {
  const shown = emails.find((email) => email.id === id) ?? emails[0];
  const getAddress = (email: MailboxEntry) => `?${new URLSearchParams({ ...(to ? { to } : {}), id: email.id })}`;
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`Mailbox (${emails.length}) · ${brand.name}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant whose quotes React would escape */}
        <style dangerouslySetInnerHTML={{ __html: emailPagesStyle }} />
      </head>
      <body>
        <header>
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
        </header>
        <main>
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
        </main>
      </body>
    </html>
  );
}

function EmailDetails({ email }: { email: MailboxEntry }) {
  return (
    <article>
      <h2>{email.subject}</h2>
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
      <iframe
        title={email.subject}
        src={`/dev/mail/${email.id}/html`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
      <details>
        <summary>Plain text</summary>
        <pre>{email.text}</pre>
      </details>
    </article>
  );
}
