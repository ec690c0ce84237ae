import type { FastifyInstance, FastifyReply } from "fastify";
import type { Services } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { type MailTemplateName, renderMail } from "#api/messaging/mails/templates/index.tsx";
import { mailSamples } from "./mail-samples.ts";
import { renderMailPreviewPage } from "./mail-preview-page.tsx";

/** Serves `/dev/mail/preview`: every template with sample data. */
export function serveMailPreview(app: FastifyInstance, services: Services): void {
  const { publicUrl } = services.config;
  const samples = mailSamples(publicUrl);
  const names = Object.keys(samples) as MailTemplateName[];
  const named = (name: unknown): MailTemplateName => {
    const found = names.find((one) => one === name);
    if (!found) throw notFound();
    return found;
  };
  const write = (name: MailTemplateName) => renderMail(publicUrl, { template: name, data: samples[name] });

  app.get<{ Querystring: { template?: unknown } }>("/dev/mail/preview", async (request, reply) => {
    const name = named(request.query.template ?? names[0]);
    const page = renderMailPreviewPage({ names, name, mail: await write(name) });
    return reply.type("text/html; charset=utf-8").send(page);
  });
  app.get<{ Params: { template: string } }>("/dev/mail/preview/:template/html", async (request, reply) => {
    const { html } = await write(named(request.params.template));
    return sendMailDocument(reply, html);
  });
}

/** Mail carries what strangers typed: it is shown as a document without rights, whatever is in it. */
export function sendMailDocument(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    )
    .header("x-frame-options", "SAMEORIGIN")
    .send(html.replace("<head>", '<head><base target="_blank">'));
}
