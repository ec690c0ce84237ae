import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "#schema/brand.ts";
import { formatSellerDateTime } from "#api/messaging/emails/templates/email-template.ts";
import { emailPagesStyle } from "./email-pages-style.ts";
import type { MailboxEntry } from "./mailbox.ts";

interface MailboxPageProps {
  readonly mails: readonly MailboxEntry[];
  /** The mail shown, by its id; the newest when there is none of that id. */
  readonly id: string | undefined;
  /** The address asked for. */
  readonly to: string;
  readonly now: Date;
  /** Whether a mail server is set, which gets them as well. */
  readonly isSent: boolean;
}

/** The dev mailbox as a page without scripts: what the product mailed, newest first. */
export function renderMailboxPage(props: MailboxPageProps): string {
  return `<!doctype html>${renderToStaticMarkup(<MailboxPage {...props} />)}`;
}

function MailboxPage({ mails, id, to, now, isSent }: MailboxPageProps) {
  const shown = mails.find((mail) => mail.id === id) ?? mails[0];
  const address = (mail: MailboxEntry) => `?${new URLSearchParams({ ...(to ? { to } : {}), id: mail.id })}`;
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`Mailbox (${mails.length}) · ${brand.name}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; React would escape its quotes */}
        <style dangerouslySetInnerHTML={{ __html: emailPagesStyle }} />
      </head>
      <body>
        <header>
          <h1>Mailbox</h1>
          <small>
            {isSent ? "These mails went to the mail server too." : "Nothing here has left this machine."} The
            application's clock says {formatSellerDateTime(now)}. <a href="/dev/mail/preview">All kinds of mail</a>
          </small>
          <form>
            <label htmlFor="to">To</label>
            <input id="to" name="to" type="search" defaultValue={to} placeholder="ada@demo.test" />
            <button type="submit">Show</button>
          </form>
        </header>
        <main>
          <nav aria-label="Mails">
            {mails.length === 0 ? <p>No emails{to ? ` to ${to}` : " yet"}.</p> : null}
            <ol>
              {mails.map((mail) => (
                <li key={mail.id}>
                  <a href={address(mail)} aria-current={mail === shown ? "true" : undefined}>
                    <strong>{mail.subject}</strong>
                    <small>
                      {mail.to} · {formatSellerDateTime(new Date(mail.sentAt))}
                    </small>
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          {shown ? <Shown mail={shown} /> : null}
        </main>
      </body>
    </html>
  );
}

function Shown({ mail }: { mail: MailboxEntry }) {
  return (
    <article>
      <h2>{mail.subject}</h2>
      <dl>
        <dt>To</dt>
        <dd>{mail.to}</dd>
        {mail.replyTo ? (
          <>
            <dt>Reply to</dt>
            <dd>{mail.replyTo}</dd>
          </>
        ) : null}
        <dt>Sent</dt>
        <dd>{formatSellerDateTime(new Date(mail.sentAt))}</dd>
        {mail.attachments?.map(({ filename, url }) => (
          <Fragment key={url}>
            <dt>Attached</dt>
            <dd>
              <a href={url} download>
                {filename}
              </a>
            </dd>
          </Fragment>
        ))}
      </dl>
      <iframe
        title={mail.subject}
        src={`/dev/mail/${mail.id}/html`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
      <details>
        <summary>As plain text</summary>
        <pre>{mail.text}</pre>
      </details>
    </article>
  );
}
