import { renderSample } from "#api/messaging/emails/layout.tsx";
import { EmailArticle, renderEmailsPage } from "./mailbox-page.tsx";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Services } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { type EmailTemplate, getEmailTemplates } from "#api/messaging/emails/template.tsx";

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
    const { subject, text } = renderSample(publicUrl, template);
    const page = renderEmailsPage(
      `Email preview: ${template.name}`,
      <>
        <h1>Email preview</h1>
        <small>
          Every email the product can send, with sample data. Sent emails are in the <a href="/dev/mail">mailbox</a>.
        </small>
      </>,
      <>
        <nav aria-label="Templates">
          <ol>
            {names.map((listed) => (
              <li key={listed}>
                <a href={`?template=${listed}`} aria-current={listed === template.name ? "true" : undefined}>
                  <strong>{listed}</strong>
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <EmailArticle subject={subject} text={text} address={`/dev/mail/preview/${template.name}/html`} />
      </>,
    );
    return reply.type("text/html; charset=utf-8").send(page);
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
