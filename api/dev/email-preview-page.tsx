import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "#schema/brand.ts";
import type { RenderedEmail } from "#api/messaging/emails/render-email.tsx";
import { emailPagesStyle } from "./email-pages-style.ts";

interface EmailPreviewProps {
  readonly names: readonly string[];
  /** Name of the template shown. */
  readonly name: string;
  readonly email: RenderedEmail;
}

/** Returns a page, without scripts, that lists every email template and shows one of them with sample data. */
export function renderEmailPreviewPage({ names, name, email }: EmailPreviewProps): string {
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`Email preview: ${name} · ${brand.name}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant whose quotes React would escape */}
        <style dangerouslySetInnerHTML={{ __html: emailPagesStyle }} />
      </head>
      <body>
        <header>
          <h1>Email preview</h1>
          <small>
            Every email the product can send, with sample data. Sent emails are in the <a href="/dev/mail">mailbox</a>.
          </small>
        </header>
        <main>
          <nav aria-label="Templates">
            <ol>
              {names.map((listed) => (
                <li key={listed}>
                  <a href={`?template=${listed}`} aria-current={listed === name ? "true" : undefined}>
                    <strong>{listed}</strong>
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          <article>
            <h2>{email.subject}</h2>
            <iframe
              title={email.subject}
              src={`/dev/mail/preview/${name}/html`}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
            />
            <details>
              <summary>Plain text</summary>
              <pre>{email.text}</pre>
            </details>
          </article>
        </main>
      </body>
    </html>,
  )}`;
}
