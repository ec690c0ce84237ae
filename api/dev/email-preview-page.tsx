import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "#schema/brand.ts";
import { type RenderedEmail, renderSample } from "#api/messaging/emails/layout.tsx";
import { emailPagesStyle } from "./mailbox-page.tsx";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Services } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { type EmailTemplate, getEmailTemplates } from "#api/messaging/emails/template.tsx";

interface EmailPreviewProps {
  readonly names: readonly string[];
  /** Name of the template shown. */
  readonly name: string;
  readonly email: RenderedEmail;
}

/** Returns a page, without scripts, that lists every email template and shows one of them with sample data. */
function renderEmailPreviewPage({ names, name, email }: EmailPreviewProps): string {
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

/** Serves `/dev/mail/preview`, which shows every template with sample data. */
export function serveEmailPreview(app: FastifyInstance, services: Services): void {
  const { publicUrl } = services.config;
  const templates = getEmailTemplates();
  const names = [...templates.keys()];
  const findTemplate = (name: unknown): EmailTemplate<unknown> => {
    const found = typeof name === "string" ? templates.get(name) : undefined;
    if (!found) throw notFound();
    return found;
  };

  app.get<{ Querystring: { template?: unknown } }>("/dev/mail/preview", async (request, reply) => {
    const template = findTemplate(request.query.template ?? names[0]);
    const email = renderSample(publicUrl, template);
    return reply.type("text/html; charset=utf-8").send(renderEmailPreviewPage({ names, name: template.name, email }));
  });
  app.get<{ Params: { template: string } }>("/dev/mail/preview/:template/html", async (request, reply) => {
    const { html } = renderSample(publicUrl, findTemplate(request.params.template));
    return sendEmailDocument(reply, html);
  });
}

/** Sends an email's HTML as a sandboxed document, because emails contain text that visitors entered. */
export function sendEmailDocument(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    )
    .header("x-frame-options", "SAMEORIGIN")
    .send(html.replace("<head>", '<head><base target="_blank">'));
}
