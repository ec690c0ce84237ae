import { expect, test } from "vitest";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { registrationClosed } from "#api/messaging/emails/templates/registration-closed.tsx";
import { createContext } from "#api/platform/context.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();

test("keeps emails to reserved domains, such as the addresses of demo data, in the dev mailbox", async () => {
  const server = await startSmtpServer();
  const services = await openSecondProcess(app, { smtpUrl: server.url });
  const context = createContext(services);
  const addresses = ["ada@demo.test", "kenji@yamato.EXAMPLE", "ada@example.com"];
  for (const to of addresses)
    await sendEmail(context, context.em, { template: registrationClosed, to, data: { firstName: "Ada" } });
  await context.em.flush();
  await services.jobs.drain();
  expect(server.delivered.map(({ recipients }) => recipients)).toEqual([["ada@example.com"]]);
  const kept = await app.context().em.find(Email, { to: addresses.slice(0, 2) });
  expect(kept).toHaveLength(2);
  for (const email of kept)
    expect(email).toMatchObject({ sentAt: expect.any(Date), text: expect.stringContaining("Ada") });
  await server.close();
});
