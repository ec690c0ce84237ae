import type { FastifyInstance } from "fastify";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import { attachmentWriters } from "#api/app/background-work.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { type EntityManager, getRow } from "#api/platform/database/database.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { type DevPayments, servePaymentSimulator } from "./dev-payments.ts";
import { createDevClock, moveClockRules } from "./dev-clock.ts";
import { sendFile } from "#api/v1/serve-routes.ts";
import { BooksDiffer } from "#api/billing/journal/check-books.ts";
import { fetchEvents } from "#api/billing/subscriptions/reconcile-payments.ts";
import { sendEmailDocument, serveEmailPreview } from "./email-preview-page.tsx";
import { listEmails, openEmail, renderMailboxPage } from "./mailbox-page.tsx";

/** Maximum number of emails on the mailbox page. `/dev/mail.json` returns all emails. */
const PAGE_LIMIT = 200;

/** Applies the stored clock offset and serves everything under `/dev`. The server doesn't load this file in production. */
export async function registerDev(
  app: FastifyInstance,
  services: Services,
  devPayments: DevPayments | null,
): Promise<void> {
  const clock = createDevClock(services);
  // While the database is unavailable, the next poll loads the offset.
  await clock.load().catch(() => {});
  const stopFollowing = clock.follow();
  app.addHook("onClose", async () => stopFollowing());

  // After a long move, this takes a while, so the log says what is done.
  const logStage = async (stage: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await work();
    services.log.info({ stage, ms: Math.round(performance.now() - startedAt) }, "clock moved");
  };
  // Renewals come first, because the sweeps depend on payments. Fetching the events of all of them together reads each
  // customer once, where their webhooks would read a customer for each event.
  const catchUp = async (): Promise<void> => {
    await logStage("payments", async () =>
      devPayments?.simulator.catchUp((since) =>
        logStage("events of payments", () => fetchEvents(createContext(services), since)),
      ),
    );
    await logStage("background work", () => services.jobs.runSweeps().catch(ignoreDifferentBooks));
  };
  // One move at a time, so that two of them don't do the same work.
  let moves: Promise<void> = Promise.resolve();
  app.post("/dev/clock", async (request) => {
    const { advanceSeconds } = check(moveClockRules, request.body);
    await clock.move(advanceSeconds === undefined ? { reset: true } : { advanceSeconds });
    const run = moves.catch(() => {}).then(catchUp);
    moves = run;
    await run;
    return { now: services.clock.now().toISOString() };
  });

  const em = () => services.orm.em.fork() as EntityManager;
  app.get<{ Querystring: { to?: unknown } }>("/dev/mail.json", (request) =>
    listEmails(em(), services.encryptionKeys, getSingleValue(request.query.to)),
  );

  app.get<{ Querystring: { to?: unknown; id?: unknown } }>("/dev/mail", async (request, reply) => {
    const to = getSingleValue(request.query.to);
    const emails = await listEmails(em(), services.encryptionKeys, to, PAGE_LIMIT);
    const page = renderMailboxPage({
      emails,
      id: getSingleValue(request.query.id),
      to: to ?? "",
      now: services.clock.now(),
      isSent: services.config.smtpUrl !== null,
    });
    return reply.type("text/html; charset=utf-8").send(page);
  });

  app.get<{ Params: { id: string } }>("/dev/mail/:id/html", async (request, reply) => {
    const email = await getRow(em(), Email, request.params.id);
    return sendEmailDocument(reply, openEmail(services.encryptionKeys, email).html);
  });
  app.get<{ Params: { id: string } }>("/dev/mail/:id/attachment", async (request, reply) => {
    const email = await getRow(em(), Email, request.params.id);
    if (!email.attachment) throw notFound();
    const file = await attachmentWriters[email.attachment.kind](createContext(services), email.attachment);
    if (!file) throw notFound();
    return sendFile(reply, 200, file);
  });
  serveEmailPreview(app, services);
  if (devPayments) servePaymentSimulator(app, devPayments);
}

function getSingleValue(parameter: unknown): string | undefined {
  return typeof parameter === "string" && parameter.trim() ? parameter.trim() : undefined;
}

/**
 * Ignores books that differ, which the sweeps have recorded: a test can lose the provider's notices on purpose.
 * @throws the error if another sweep failed
 */
function ignoreDifferentBooks(error: unknown): void {
  const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  if (!failures.every((one) => one instanceof BooksDiffer)) throw error;
}

const buildScript = "scripts/build.mjs";

/** Builds the schema explorer if its build is missing or outdated. Null outside a checkout, where it is already built. */
export const buildExplorer = existsSync(buildScript)
  ? async (): Promise<void> => void (await promisify(execFile)(process.execPath, [buildScript, "schema explorer"]))
  : null;
