import { beforeEach, expect, test } from "vitest";
import { Mail } from "#api/messaging/mails/mail.entity.ts";
import { purgeMails } from "#api/messaging/mails/purge-mails.ts";
import { after, DAY, realNow } from "#api/platform/clock.ts";
import { runUntilDone } from "#api/platform/due-work.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.context().em;
const purge = () => runUntilDone(app.services, purgeMails);

beforeEach(async () => {
  app.clock.setOffset(0);
  await em().nativeDelete(Mail, {});
});

/** Writes emails that are so many days old, by the machine's clock. */
async function write(daysOld: number, changes: Partial<Mail> = {}, count = 1): Promise<void> {
  const writing = em();
  for (let n = 0; n < count; n++)
    writing.create(Mail, {
      to: `old-${daysOld}@example.com`,
      subject: "Hello",
      text: "Hello",
      html: "Hello",
      createdAt: after(realNow(app.clock), -daysOld * DAY),
      ...changes,
    });
  await writing.flush();
}

const subjects = async () => (await em().find(Mail, {}, { orderBy: { createdAt: "asc" } })).map(({ to }) => to);

test("removes emails older than 90 days, in as many batches as it takes", async () => {
  await write(91, {}, 2_100);
  await write(89);
  await purge();
  expect(await subjects()).toEqual(["old-89@example.com"]);
});

test("empties an old announcement and keeps its key, so that it never goes out twice", async () => {
  await write(400, {
    dedupeKey: "trial-ended:1",
    attachment: null,
    replyTo: "a@example.com",
    lastError: "a@example.com",
  });
  await purge();
  const [left] = await em().find(Mail, {});
  expect(left).toMatchObject({ to: "", replyTo: null, subject: "", text: "", html: "", lastError: null });
  expect(left?.dedupeKey).toBe("trial-ended:1");
});

test("follows the development clock", async () => {
  await write(1);
  await purge();
  expect(await subjects()).toHaveLength(1);
  app.clock.setOffset(90 * DAY);
  await purge();
  expect(await subjects()).toEqual([]);
});

test("removes the last email to an erased user after 7 days, delivered or not", async () => {
  await write(8, { eraseWhenDelivered: true });
  await write(8, { eraseWhenDelivered: true, to: "" });
  await write(6, { eraseWhenDelivered: true });
  await purge();
  expect(await subjects()).toEqual(["old-6@example.com"]);
});
