import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { deliverMail } from "#api/messaging/mails/deliver-mail.ts";
import { Mail } from "#api/messaging/mails/mail.entity.ts";
import { type OutgoingMail, sendMail } from "#api/messaging/mails/send-mail.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { testConfig } from "#tests/support/test-config.ts";
import { createTestDatabase } from "#tests/support/test-database.ts";

const database = await createTestDatabase();
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The product's parts with the mail server given; jobs run when the test says so. */
async function open(smtpUrl: string | null): Promise<Services> {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-mail-"));
  const services = await openServices(
    testConfig(dataDir, { smtpUrl }),
    database,
    { log: pino({ level: "silent" }), clock: createMovableClock() },
    // Mails ask the payment provider nothing.
    { jobs: { polling: false }, payments: {} as Services["payments"] },
  );
  cleanups.push(async () => {
    await closeServices(services);
    rmSync(dataDir, { recursive: true, force: true });
  });
  return services;
}

async function mailServer(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  cleanups.push(() => server.close());
  return server;
}

const noAttachments = { "tax-invoice": () => Promise.reject(new Error("no attachment here")) };

let count = 0;

function confirmation(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    template: "confirm-email",
    to: `person${++count}@example.com`,
    data: { firstName: "Ada", link: "http://portal.test/confirm-email?t=secret" },
    ...changes,
  } as OutgoingMail;
}

async function send(services: Services, mail: OutgoingMail): Promise<Mail> {
  const em = services.orm.em.fork();
  await em.transactional((tx) => sendMail(services, tx, mail));
  return read(services, mail.to);
}

function read(services: Services, to: string): Promise<Mail> {
  return services.orm.em.fork().findOneOrFail(Mail, { to });
}

test("a mail is delivered with its subject, both bodies, sender and one recipient", async () => {
  const server = await mailServer();
  const services = await open(server.url);
  const written = await send(services, confirmation({ replyTo: "visitor@example.com" }));
  expect(written.sentAt).toBeNull();
  await services.jobs.drain();

  const [mail] = server.delivered;
  expect(server.delivered).toHaveLength(1);
  expect(mail?.recipients).toEqual([written.to]);
  expect(mail?.from).toMatchObject({ name: "XER Solutions", address: "no-reply@xersolutions.example" });
  expect(mail?.replyTo).toMatchObject([{ address: "visitor@example.com" }]);
  expect(mail?.subject).toBe("Confirm your email address for XER Solutions");
  expect(mail?.text).toContain("http://portal.test/confirm-email?t=secret\n");
  expect(mail?.html).toContain("Confirm my email address");
  expect(mail?.messageId).toBe(`<${written.id}@xersolutions.example>`);
  expect(await read(services, written.to)).toMatchObject({ sentAt: expect.any(Date), attempts: 1, lastError: null });
});

test("a job that runs twice delivers once", async () => {
  const server = await mailServer();
  const services = await open(server.url);
  const { id } = await send(services, confirmation());
  await services.jobs.drain();
  await deliverMail(createContext(services), { mailId: id }, noAttachments);
  expect(server.delivered).toHaveLength(1);
});

test("a change that is rolled back mails nobody", async () => {
  const server = await mailServer();
  const services = await open(server.url);
  const mail = confirmation();
  const rolledBack = services.orm.em.fork().transactional(async (tx) => {
    await sendMail(services, tx, mail);
    throw new Error("no");
  });
  await expect(rolledBack).rejects.toThrow("no");
  expect(await services.jobs.drain()).toBe(0);
  expect(await services.orm.em.fork().count(Mail, { to: mail.to })).toBe(0);
});

test("while the mail server is away mails wait, and go out when it is back", async () => {
  const gone = await startMailServer();
  await gone.close();
  const services = await open(gone.url);
  const { to } = await send(services, confirmation());
  await services.jobs.drain();
  expect(await read(services, to)).toMatchObject({ sentAt: null, refusedAt: null, attempts: 1 });
  expect((await read(services, to)).lastError).toContain("ECONNREFUSED");

  const back = await mailServer({ port: gone.port });
  await services.jobs.drain({ delayed: true });
  expect(back.delivered.map((mail) => mail.recipients)).toEqual([[to]]);
  expect(await read(services, to)).toMatchObject({ sentAt: expect.any(Date), attempts: 2, lastError: null });
});

test("a mail server that answers nothing is given up on after 10 seconds, and the mail waits", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  cleanups.push(() => silent.close());
  const services = await open(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const { to } = await send(services, confirmation());
  const began = performance.now();
  await services.jobs.drain();
  expect(performance.now() - began).toBeLessThan(12_000);
  expect(await read(services, to)).toMatchObject({ sentAt: null, attempts: 1 });
});

test("an address that the mail server does not know is not tried again", async () => {
  const server = await mailServer({ refuse: "550 5.1.1 no such user here" });
  const services = await open(server.url);
  const { to } = await send(services, confirmation());
  await services.jobs.drain();
  expect(await read(services, to)).toMatchObject({ sentAt: null, refusedAt: expect.any(Date), attempts: 1 });
  await services.jobs.drain({ delayed: true });
  expect(await read(services, to)).toMatchObject({ attempts: 1 });
});

test("a mail server that will not relay for us is tried again", async () => {
  const server = await mailServer({ refuse: "550 5.7.1 relaying denied" });
  const services = await open(server.url);
  const { to } = await send(services, confirmation());
  await services.jobs.drain();
  await services.jobs.drain({ delayed: true });
  expect(await read(services, to)).toMatchObject({ refusedAt: null, attempts: 2 });
});

test("without a mail server a mail counts as sent at once", async () => {
  const services = await open(null);
  const { to } = await send(services, confirmation());
  await services.jobs.drain();
  expect((await read(services, to)).sentAt).not.toBeNull();
});

test("an announcement goes out once, however often it is made", async () => {
  const services = await open(null);
  const mail = confirmation({ dedupeKey: "trial-ended:one" });
  const em = services.orm.em.fork();
  const results = await Promise.all(Array.from({ length: 5 }, () => sendMail(services, em.fork(), mail)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await services.jobs.drain()).toBe(1);
});

test.each([
  "victim@example.com\r\nBcc: all@example.com",
  "one@example.com, two@example.com",
  "One <one@example.com>",
  "no-domain",
  "",
])("an address that is not one bare address is refused: %j", async (to) => {
  const services = await open(null);
  await expect(sendMail(services, services.orm.em.fork(), confirmation({ to }))).rejects.toThrow("single bare address");
  await expect(sendMail(services, services.orm.em.fork(), confirmation({ replyTo: to }))).rejects.toThrow();
});

test("a line break in a name that a mail carries never begins a header", async () => {
  const server = await mailServer();
  const services = await open(server.url);
  const machineName = "PC\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>";
  const data = { firstName: "Ada\r\nX-Evil: 1", machineName, at: services.clock.now(), deactivationsRemaining: 2 };
  await send(services, { template: "device-deactivated", to: `person${++count}@example.com`, data });
  await services.jobs.drain();
  const [mail] = server.delivered;
  expect(mail?.recipients).toHaveLength(1);
  expect(mail?.headers.map((header) => header.key)).not.toContain("bcc");
  expect(mail?.headers.map((header) => header.key)).not.toContain("x-evil");
  expect(mail?.html).not.toContain("<script>");
});

test("what a mail carries is written when it is delivered, and arrives with it", async () => {
  const server = await mailServer();
  const services = await open(server.url);
  const attachment = { kind: "tax-invoice", invoiceId: randomUUID(), filename: "Invoice-100001.pdf" } as const;
  const { id } = await send(services, confirmation({ attachment }));
  const context = createContext(services);
  const writing = (bytes: string) => ({
    "tax-invoice": async (_: unknown, { filename }: { filename: string }) => ({
      filename,
      contentType: "application/pdf",
      content: Buffer.from(bytes),
    }),
  });
  await expect(deliverMail(context, { mailId: id }, noAttachments)).rejects.toThrow("no attachment here");
  expect(server.delivered).toHaveLength(0);
  await deliverMail(createContext(services), { mailId: id }, writing("%PDF-1.7"));
  const [mail] = server.delivered;
  const [file, ...more] = mail?.attachments ?? [];
  expect(more).toEqual([]);
  expect(file).toMatchObject({
    filename: "Invoice-100001.pdf",
    mimeType: "application/pdf",
    disposition: "attachment",
  });
  expect(Buffer.from(file?.content as ArrayBuffer).toString()).toBe("%PDF-1.7");
});
