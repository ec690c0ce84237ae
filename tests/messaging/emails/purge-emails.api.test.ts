import { beforeEach, expect, test } from "vitest";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { purgeEmails } from "#api/messaging/emails/purge-emails.ts";
import { addMilliseconds, DAY, getRealNow } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/sweeps.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.context().em;
const purge = () => runSweep(app.services, purgeEmails);

beforeEach(async () => {
  app.clock.setOffset(0);
  await em().nativeDelete(Email, {});
});

/** Creates emails that are `daysOld` days old by the real clock. */
async function write(daysOld: number, changes: Partial<Email> = {}, count = 1): Promise<void> {
  const writing = em();
  for (let n = 0; n < count; n++)
    writing.create(Email, {
      to: `old-${daysOld}@example.com`,
      subject: "Hello",
      text: "Hello",
      html: "Hello",
      createdAt: addMilliseconds(getRealNow(app.clock), -daysOld * DAY),
      ...changes,
    });
  await writing.flush();
}

const recipients = async () => (await em().find(Email, {}, { orderBy: { createdAt: "asc" } })).map(({ to }) => to);

test("deletes emails older than 90 days in several batches", async () => {
  await write(91, {}, 2_100);
  await write(89);
  await purge();
  expect(await recipients()).toEqual(["old-89@example.com"]);
});

test("clears an old notification but keeps its key, so it isn't sent again", async () => {
  await write(400, {
    dedupeKey: "trial-ended:1",
    attachment: null,
    replyTo: "a@example.com",
    lastError: "a@example.com",
  });
  await purge();
  const [left] = await em().find(Email, {});
  expect(left).toMatchObject({ to: "", replyTo: null, subject: "", text: "", html: "", lastError: null });
  expect(left?.dedupeKey).toBe("trial-ended:1");
});

test("judges the age of emails by the development clock", async () => {
  await write(1);
  await purge();
  expect(await recipients()).toHaveLength(1);
  app.clock.setOffset(90 * DAY);
  await purge();
  expect(await recipients()).toEqual([]);
});

test("deletes the last email to an erased user after 7 days, delivered or not", async () => {
  await write(8, { eraseWhenDelivered: true });
  await write(8, { eraseWhenDelivered: true, to: "" });
  await write(6, { eraseWhenDelivered: true });
  await purge();
  expect(await recipients()).toEqual(["old-6@example.com"]);
});
