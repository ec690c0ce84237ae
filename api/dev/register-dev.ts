import type { FastifyInstance } from "fastify";
import { invoiceAttachment } from "#api/selling/invoices/invoice-file.ts";
import { Mail } from "#api/messaging/mails/mail.entity.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { check, isUuid } from "#api/platform/validate.ts";
import { type DevPayments, servePaymentSimulator } from "./dev-payments.ts";
import { createDevClock, moveClockRules } from "./dev-clock.ts";
import { sendMailDocument, serveMailPreview } from "./mail-preview.ts";
import { listMails } from "./mailbox.ts";
import { renderMailboxPage } from "./mailbox-page.tsx";

/** Mails the page lists; `/dev/mail.json` gives all. */
const LISTED = 200;

/**
 * Takes over the clock as it was left and serves everything under `/dev`. Outside production only: the
 * server does not even load this file there.
 */
export async function registerDev(
  app: FastifyInstance,
  services: Services,
  devPayments: DevPayments | null,
): Promise<void> {
  const clock = createDevClock(services);
  await clock.load();
  const unfollow = clock.follow();
  app.addHook("onClose", async () => unfollow());

  app.post("/dev/clock", async (request) => {
    const { advanceSeconds } = check(moveClockRules, request.body);
    await clock.move(advanceSeconds === undefined ? { reset: true } : { advanceSeconds });
    // Renewals first: what comes due here looks at what was paid.
    await devPayments?.simulator.catchUp();
    await services.jobs.runDueWork();
    return { now: services.clock.now().toISOString() };
  });

  const em = () => services.orm.em.fork() as EntityManager;
  app.get<{ Querystring: { to?: unknown } }>("/dev/mail.json", (request) => listMails(em(), oneOf(request.query.to)));

  app.get<{ Querystring: { to?: unknown; id?: unknown } }>("/dev/mail", async (request, reply) => {
    const to = oneOf(request.query.to);
    const mails = await listMails(em(), to, LISTED);
    const page = renderMailboxPage({
      mails,
      id: oneOf(request.query.id),
      to: to ?? "",
      now: services.clock.now(),
      isSent: services.config.smtpUrl !== null,
    });
    return reply.type("text/html; charset=utf-8").send(page);
  });

  app.get<{ Params: { id: string } }>("/dev/mail/:id/html", async (request, reply) => {
    const mail = isUuid(request.params.id) ? await em().findOne(Mail, { id: request.params.id }) : null;
    if (!mail) throw notFound();
    return sendMailDocument(reply, mail.html);
  });
  app.get<{ Params: { id: string } }>("/dev/mail/:id/attachment", async (request, reply) => {
    const mail = isUuid(request.params.id) ? await em().findOne(Mail, { id: request.params.id }) : null;
    if (!mail?.attachment) throw notFound();
    const file = await invoiceAttachment(createContext(services), mail.attachment);
    return reply
      .type(file.contentType)
      .header("content-disposition", `attachment; filename="${file.filename}"`)
      .send(file.content);
  });
  serveMailPreview(app, services);
  if (devPayments) servePaymentSimulator(app, devPayments.simulator);
}

function oneOf(parameter: unknown): string | undefined {
  return typeof parameter === "string" && parameter.trim() ? parameter.trim() : undefined;
}
