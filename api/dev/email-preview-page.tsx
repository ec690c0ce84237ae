import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "#schema/brand.ts";
import type { RenderedEmail } from "#api/messaging/emails/templates/index.tsx";
import { emailPagesStyle } from "./email-pages-style.ts";

interface EmailPreviewProps {
  /** Every template's name. */
  readonly names: readonly string[];
  /** The one shown. */
  readonly name: string;
  readonly mail: RenderedEmail;
}

/** Every mail the product can send, each with sample data; a page without scripts. */
export function renderEmailPreviewPage({ names, name, mail }: EmailPreviewProps): string {
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`Mail preview: ${name} · ${brand.name}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; React would escape its quotes */}
        <style dangerouslySetInnerHTML={{ __html: emailPagesStyle }} />
      </head>
      <body>
        <header>
          <h1>Mail preview</h1>
          <small>
            Every mail the product can send, with sample data. What it has sent is in the{" "}
            <a href="/dev/mail">mailbox</a>.
          </small>
        </header>
        <main>
          <nav aria-label="Templates">
            <ol>
              {names.map((one) => (
                <li key={one}>
                  <a href={`?template=${one}`} aria-current={one === name ? "true" : undefined}>
                    <strong>{one}</strong>
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          <article>
            <h2>{mail.subject}</h2>
            <iframe
              title={mail.subject}
              src={`/dev/mail/preview/${name}/html`}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
            />
            <details>
              <summary>As plain text</summary>
              <pre>{mail.text}</pre>
            </details>
          </article>
        </main>
      </body>
    </html>,
  )}`;
}
