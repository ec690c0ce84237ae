import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as realSleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { deliverEmail } from "#api/messaging/emails/deliver-email.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { resealEmails } from "#api/messaging/emails/sealed-content.ts";
import { type OutgoingEmail, sendEmail } from "#api/messaging/emails/send-email.ts";
import { confirmEmail } from "#api/messaging/emails/templates/confirm-email.tsx";
import { deviceDeactivated } from "#api/messaging/emails/templates/device-deactivated.tsx";
import { registrationClosed } from "#api/messaging/emails/templates/registration-closed.tsx";
import { trialStarted } from "#api/messaging/emails/templates/trial-started.tsx";
import { createContext, type Services } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { generateEncryptionJwk, toEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { whenDone } from "#tests/support/when-done.ts";

const app = await startTestApp();

/** Opens the services with the given SMTP server. Jobs run only when the test drains them. */
const open = (smtpUrl: string | null) => openSecondProcess(app, { smtpUrl });

async function startServer(options?: Parameters<typeof startSmtpServer>[0]) {
  const server = await startSmtpServer(options);
  whenDone(() => server.close());
  return server;
}

/** Starts an SMTP server and opens services that deliver to it. */
async function openWithServer(options?: Parameters<typeof startSmtpServer>[0]) {
  const server = await startServer(options);
  return { server, services: await open(server.url) };
}

const rejectAttachment = () => Promise.reject(new Error("no attachment here"));
const noAttachments = { "tax-invoice": rejectAttachment, quote: rejectAttachment };

let count = 0;

function confirmation(changes: Partial<Omit<OutgoingEmail<never>, "template" | "data">> = {}) {
  return {
    template: confirmEmail,
    to: `person${++count}@example.com`,
    data: { firstName: "Ada", link: "http://portal.test/confirm-email?t=secret", startsTrial: false },
    ...changes,
  };
}

function trialStart() {
  const licenceCode = "7K3QM-X9D4T-B2HNV-5RCWE-8GJ6P-ZFY1A";
  const data = { firstName: "Ada", licenceCode, expiresAt: new Date(), conversionLimit: 20 };
  return { template: trialStarted, to: `person${++count}@example.com`, data };
}

async function send<Data>(services: Services, email: OutgoingEmail<Data>): Promise<Email> {
  const em = services.orm.em.fork();
  await em.transactional((tx) => sendEmail(services, tx, email));
  return read(services, email.to);
}

function read(services: Services, to: string): Promise<Email> {
  return services.orm.em.fork().findOneOrFail(Email, { to });
}

test("delivers an email once, with its subject, both bodies, the sender and one recipient", async () => {
  const { server, services } = await openWithServer();
  const written = await send(services, confirmation({ replyTo: "visitor@example.com" }));
  expect(written.sentAt).toBeNull();
  await services.jobs.drain();

  const [delivered] = server.delivered;
  expect(server.delivered).toHaveLength(1);
  expect(delivered?.recipients).toEqual([written.to]);
  expect(delivered?.from).toMatchObject({ name: "Planvarro Software", address: "no-reply@planvarro.example" });
  expect(delivered?.replyTo).toMatchObject([{ address: "visitor@example.com" }]);
  expect(delivered?.subject).toBe("Confirm your email address for Planvarro Software");
  expect(delivered?.text).toContain("http://portal.test/confirm-email?t=secret\n");
  expect(delivered?.html).toContain("Confirm my email address");
  expect(delivered?.messageId).toBe(`<${written.id}@planvarro.example>`);
  expect(await read(services, written.to)).toMatchObject({ sentAt: expect.any(Date), attempts: 1, lastError: null });
  await deliverEmail(createContext(services), { mailId: written.id }, noAttachments);
  expect(server.delivered).toHaveLength(1);
});

test.each([
  ["a link", (services: Services) => send(services, confirmation()), "secret"],
  ["a licence code", (services: Services) => send(services, trialStart()), "7K3QM-X9D4T"],
])("encrypts an email with %s in the outbox and removes its content after delivery", async (_, sendSecret, secret) => {
  const { server, services } = await openWithServer();
  const written = await sendSecret(services);
  expect(`${written.subject}${written.text}${written.html}`).not.toMatch(/secret|7K3QM-|Ada[ ,]/);
  await services.jobs.drain();
  expect(server.delivered[0]?.text).toContain(secret);
  expect(server.delivered[0]?.html).toContain(secret);
  const content = { text: "The content was removed after delivery.", html: "The content was removed after delivery." };
  expect(await read(services, written.to)).toMatchObject({ ...content, sentAt: expect.any(Date), to: written.to });
});

test("encrypts a waiting email again, so that the key that encrypted it can be removed", async () => {
  const { server, services } = await openWithServer();
  const { id } = await send(services, confirmation());
  const fresh = toEncryptionKeys([generateEncryptionJwk()]);
  const rotated = { ...fresh, all: [fresh.current, ...services.encryptionKeys.all] };
  await runSweep({ ...services, encryptionKeys: rotated }, resealEmails);
  await deliverEmail(createContext({ ...services, encryptionKeys: fresh }), { mailId: id }, noAttachments);
  expect(server.delivered[0]?.text).toContain("secret");
  expect(server.delivered[0]?.html).toContain("secret");
  await services.jobs.drain();
});

test("keeps emails to reserved domains, such as the addresses of demo data, in the dev mailbox", async () => {
  const { server, services } = await openWithServer();
  const addresses = ["ada@demo.test", "kenji@yamato.EXAMPLE", "ada@example.com"];
  for (const to of addresses) await send(services, { template: registrationClosed, to, data: { firstName: "Ada" } });
  await services.jobs.drain();
  expect(server.delivered.map(({ recipients }) => recipients)).toEqual([["ada@example.com"]]);
  const kept = { sentAt: expect.any(Date), text: expect.stringContaining("Ada") };
  for (const to of addresses.slice(0, 2)) expect(await read(services, to)).toMatchObject(kept);
});

test("doesn't send an encrypted email that belongs to another row", async () => {
  const { server, services } = await openWithServer();
  const { text, html } = await send(services, confirmation());
  const { to } = await send(services, confirmation());
  await services.orm.em.fork().nativeUpdate(Email, { to }, { text, html });
  await services.jobs.drain();
  expect(server.delivered).toHaveLength(1);
  expect((await read(services, to)).lastError).toContain("can't be decrypted");
  // The retry would run in a later test.
  await services.pool.query("delete from pgboss.job");
});

test("sends no email if the transaction is rolled back", async () => {
  const { services } = await openWithServer();
  const email = confirmation();
  const rolledBack = services.orm.em.fork().transactional(async (tx) => {
    await sendEmail(services, tx, email);
    throw new Error("no");
  });
  await expect(rolledBack).rejects.toThrow("no");
  expect(await services.jobs.drain()).toBe(0);
  expect(await services.orm.em.fork().count(Email, { to: email.to })).toBe(0);
});

test("keeps emails while the SMTP server is down and delivers them when it is up again", async () => {
  const stopped = await startSmtpServer();
  await stopped.close();
  const services = await open(stopped.url);
  const { to } = await send(services, confirmation());
  await services.jobs.drain();
  expect(await read(services, to)).toMatchObject({ sentAt: null, refusedAt: null, attempts: 1 });
  expect((await read(services, to)).lastError).toContain("ECONNREFUSED");

  const restarted = await startServer({ port: stopped.port });
  await services.jobs.drain({ delayed: true });
  expect(restarted.delivered.map(({ recipients }) => recipients)).toEqual([[to]]);
  expect(await read(services, to)).toMatchObject({ sentAt: expect.any(Date), attempts: 2, lastError: null });
});

test("times out after 10 seconds if the SMTP server doesn't respond, and keeps the email", async () => {
  const unresponsive = createServer(() => {}).listen(0, "127.0.0.1");
  await once(unresponsive, "listening");
  whenDone(() => void unresponsive.close());
  const services = await open(`smtp://127.0.0.1:${(unresponsive.address() as AddressInfo).port}`);
  const { to } = await send(services, confirmation());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  whenDone(() => void vi.useRealTimers());
  let hasEnded = false;
  const delivery = services.jobs.drain().then(() => (hasEnded = true));
  // Time passes only after the connection, when the client waits for the greeting.
  await once(unresponsive, "connection");
  await realSleep(100);
  await vi.advanceTimersByTimeAsync(9_900);
  await realSleep(100);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  await delivery;
  expect(await read(services, to)).toMatchObject({ sentAt: null, attempts: 1 });
});

test.each([
  ["no such user here", "doesn't retry, and removes the content", 1],
  ["relaying denied", "retries", 2],
])("when the SMTP server says '%s', %s", async (reason, _what, attempts) => {
  const { services } = await openWithServer({ refuse: `550 5.${attempts === 1 ? "1" : "7"}.1 ${reason}` });
  const { to } = await send(services, confirmation());
  await services.jobs.drain();
  await services.jobs.drain({ delayed: true });
  const text = attempts === 1 ? "The content was removed after delivery." : expect.not.stringContaining("removed");
  const refusedAt = attempts === 1 ? expect.any(Date) : null;
  expect(await read(services, to)).toMatchObject({ sentAt: null, refusedAt, attempts, text });
});

test("marks an email as sent immediately without an SMTP server", async () => {
  const services = await open(null);
  const { to } = await send(services, confirmation());
  await services.jobs.drain();
  expect((await read(services, to)).sentAt).not.toBeNull();
});

test("sends a notification with the same key only once", async () => {
  const services = await open(null);
  const email = confirmation({ dedupeKey: "trial-ended:one" });
  const em = services.orm.em.fork();
  const results = await Promise.all(Array.from({ length: 5 }, () => sendEmail(services, em.fork(), email)));
  expect(results.filter(Boolean)).toHaveLength(1);
  const select = `select from pgboss.job where data ->> 'mailId' in (select id::text from mails where "to" = $1)`;
  const { rows } = await services.pool.query(select, [email.to]);
  expect(rows).toHaveLength(1);
});

test("rejects an address that isn't a single bare address", async () => {
  const services = await open(null);
  const em = services.orm.em.fork();
  for (const address of [
    "victim@example.com\r\nBcc: all@example.com",
    "one@example.com, two@example.com",
    "One <one@example.com>",
    "no-domain",
    "",
  ])
    for (const changes of [{ to: address }, { replyTo: address }])
      await expect(sendEmail(services, em, confirmation(changes))).rejects.toThrow("single bare address");
});

test("never creates a header from a line break in a name", async () => {
  const { server, services } = await openWithServer();
  const machineName = "PC\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>";
  const device = { machineName, at: services.clock.now(), replacedBy: null, canActivate: true };
  const data = { firstName: "Ada\r\nX-Evil: 1", ...device, deactivationsRemaining: 2 };
  await send(services, { template: deviceDeactivated, to: `person${++count}@example.com`, data });
  await services.jobs.drain();
  const [delivered] = server.delivered;
  expect(delivered?.recipients).toHaveLength(1);
  expect(delivered?.headers.map((header) => header.key)).not.toContain("bcc");
  expect(delivered?.headers.map((header) => header.key)).not.toContain("x-evil");
  expect(delivered?.html).not.toContain("<script>");
});

test("creates the attachment at delivery and sends it with the email", async () => {
  const { server, services } = await openWithServer();
  const attachment = { kind: "tax-invoice", invoiceId: randomUUID(), filename: "Invoice-100001.pdf" } as const;
  const { id } = await send(services, confirmation({ attachment }));
  const context = createContext(services);
  const createWriters = (bytes: string) => ({
    quote: rejectAttachment,
    "tax-invoice": async (_: unknown, { filename }: { filename: string }) => ({
      filename,
      contentType: "application/pdf",
      content: Buffer.from(bytes),
    }),
  });
  await expect(deliverEmail(context, { mailId: id }, noAttachments)).rejects.toThrow("no attachment here");
  expect(server.delivered).toHaveLength(0);
  await deliverEmail(createContext(services), { mailId: id }, createWriters("%PDF-1.7"));
  const [delivered] = server.delivered;
  const [file, ...more] = delivered?.attachments ?? [];
  expect(more).toEqual([]);
  const { filename } = attachment;
  expect(file).toMatchObject({ filename, mimeType: "application/pdf", disposition: "attachment" });
  expect(Buffer.from(file?.content as ArrayBuffer).toString()).toBe("%PDF-1.7");
});
