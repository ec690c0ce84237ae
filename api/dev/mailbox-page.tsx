import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "#schema/brand.ts";
import { dayAndTime } from "#api/features/mails/templates/moments.ts";
import type { MailboxEntry } from "./mailbox.ts";

const styleSheet = `
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
        <style dangerouslySetInnerHTML={{ __html: styleSheet }} />
      </head>
      <body>
        <header>
          <h1>Mailbox</h1>
          <small>
            {isSent ? "These mails went to the mail server too." : "Nothing here has left this machine."} The
            application's clock says {dayAndTime(now)}.
          </small>
          <form>
            <label htmlFor="to">To</label>
            <input id="to" name="to" type="search" defaultValue={to} placeholder="ada@demo.test" />
            <button type="submit">Show</button>
          </form>
        </header>
        <main>
          <nav aria-label="Mails">
            {mails.length === 0 ? <p>No mail{to ? ` to ${to}` : " yet"}.</p> : null}
            <ol>
              {mails.map((mail) => (
                <li key={mail.id}>
                  <a href={address(mail)} aria-current={mail === shown ? "true" : undefined}>
                    <strong>{mail.subject}</strong>
                    <small>
                      {mail.to} · {dayAndTime(new Date(mail.sentAt))}
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
        <dd>{dayAndTime(new Date(mail.sentAt))}</dd>
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
