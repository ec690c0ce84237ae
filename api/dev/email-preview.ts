import type { FastifyInstance, FastifyReply } from "fastify";
import type { Services } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { type EmailTemplateName, renderEmail } from "#api/messaging/emails/templates/index.tsx";
import { createEmailSamples } from "./email-samples.ts";
import { renderEmailPreviewPage } from "./email-preview-page.tsx";

/** Serves `/dev/mail/preview`, which shows every template with sample data. */
export function serveEmailPreview(app: FastifyInstance, services: Services): void {
  const { publicUrl } = services.config;
  const samples = createEmailSamples(publicUrl);
  const names = Object.keys(samples) as EmailTemplateName[];
  const findTemplate = (name: unknown): EmailTemplateName => {
    const found = names.find((known) => known === name);
    if (!found) throw notFound();
    return found;
  };
  const render = (name: EmailTemplateName) => renderEmail(publicUrl, { template: name, data: samples[name] });

  app.get<{ Querystring: { template?: unknown } }>("/dev/mail/preview", async (request, reply) => {
    const name = findTemplate(request.query.template ?? names[0]);
    const page = renderEmailPreviewPage({ names, name, email: await render(name) });
    return reply.type("text/html; charset=utf-8").send(page);
  });
  app.get<{ Params: { template: string } }>("/dev/mail/preview/:template/html", async (request, reply) => {
    const { html } = await render(findTemplate(request.params.template));
    return sendEmailDocument(reply, html);
  });
}

/** Sends an email's HTML as a sandboxed document, because emails contain text that visitors entered. */
export function sendEmailDocument(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    )
    .header("x-frame-options", "SAMEORIGIN")
    .send(html.replace("<head>", '<head><base target="_blank">'));
}
