import { ProductLevel } from "#schema/product-level.ts";
import { afterEach, expect, test } from "vitest";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createDevClock } from "#api/dev/dev-clock.ts";
import { addMilliseconds, createMovableClock, DAY } from "#api/platform/clock.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";

const app = await startTestApp();

const moveClock = (body: unknown) => app.rest("POST", "/dev/clock", { body });
afterEach(() => moveClock({ reset: true }));

async function advance(days: number): Promise<void> {
  expect((await moveClock({ advanceSeconds: days * 86_400 })).status).toBe(200);
}

// The system clock advances between the two reads, so this rounds to whole seconds. Adding 0 turns -0 into 0.
const getSecondsAhead = (): number => Math.round((app.services.clock.now().getTime() - Date.now()) / 1_000) + 0;

test("advances the clock, returns its time and goes back to the system time on reset", async () => {
  const { status, json } = await moveClock({ advanceSeconds: 3_600 });
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(["now"]);
  expect(Math.abs(new Date(json.now).getTime() - Date.now() - 3_600_000)).toBeLessThan(2_000);
  await moveClock({ advanceSeconds: 0.5 });
  await moveClock({ reset: true });
  expect(getSecondsAhead()).toBe(0);
});

test("adds up moves that are requested at the same time", async () => {
  await Promise.all(Array.from({ length: 20 }, () => moveClock({ advanceSeconds: 60 })));
  expect(getSecondsAhead()).toBe(20 * 60);
});

test("advances another process's clock within a second, and a new process's clock when it starts", async () => {
  const follower = createMovableClock();
  const clock = createDevClock({ clock: follower, pool: app.services.pool });
  await clock.load();
  const unfollow = clock.follow();
  await moveClock({ advanceSeconds: 600 });
  await expect.poll(() => follower.offsetMs, { timeout: 5_000 }).toBe(600_000);
  unfollow();
  const newcomer = createMovableClock();
  await createDevClock({ clock: newcomer, pool: app.services.pool }).load();
  expect(newcomer.offsetMs).toBe(600_000);
});

test.each([
  [{}, "advanceSeconds"],
  [{ advanceSeconds: -1 }, "advanceSeconds"],
  [{ advanceSeconds: "60" }, "advanceSeconds"],
  [{ advanceSeconds: 1e300 }, "advanceSeconds"],
  [{ advanceSeconds: 4e9 }, "advanceSeconds"],
  [{ advanceSeconds: 60, reset: true }, "advanceSeconds"],
  [{ reset: false }, "reset"],
  [{ reset: "yes" }, "reset"],
  [[], "body"],
  ["{", "body"],
])("rejects an invalid body and names the field: %j", async (body, field) => {
  const before = getSecondsAhead();
  const { status, json } = await moveClock(body);
  expect(status).toBe(400);
  expect(json).toEqual({ [field]: [expect.any(String)] });
  expect(getSecondsAhead()).toBe(before);
});

const listSubjects = async ({ email }: User) => (await listEmailsTo(app, email)).map(({ subject }) => subject);

async function issueTrial(user: User): Promise<void> {
  const context = app.context();
  const expiresAt = addMilliseconds(app.clock.now(), 14 * DAY);
  issueLicence(context, context.em, user, { productLevel: ProductLevel.Trial, expiresAt, usageLimit: 20 });
  await context.em.flush();
}

test("processes each due task once before it responds", async () => {
  const user = await createUser(app);
  await issueTrial(user);
  await advance(10);
  expect(await listSubjects(user)).toEqual([]);
  await advance(1.5);
  expect(await listSubjects(user)).toEqual(["Your Planvarro trial ends soon"]);
  await advance(1);
  expect(await listSubjects(user)).toHaveLength(1);
  await advance(2);
  expect(await listSubjects(user)).toEqual(["Your Planvarro trial has ended", "Your Planvarro trial ends soon"]);
  await advance(30);
  expect(await listSubjects(user)).toHaveLength(2);
});

test("sends only the trial-ended email if the clock skips past the reminder, and none to an archived user", async () => {
  const users = [await createUser(app), await createUser(app, { archivedAt: app.clock.now() })] as const;
  for (const user of users) await issueTrial(user);
  await advance(20);
  expect(await listSubjects(users[0])).toEqual(["Your Planvarro trial has ended"]);
  expect(await listSubjects(users[1])).toEqual([]);
});

test("purges emailed links 30 days after they expire", async () => {
  const { pool, clock } = app.services;
  const user = await createUser(app);
  await pool.query(
    `insert into email_tokens (id, user_id, purpose, email, token_hash, created_at, expires_at)
     values (gen_random_uuid(), $1, 'confirm-email', 'a@b.c', 'y', $2, $2)`,
    [user.id, clock.now()],
  );
  const countLinks = async () => (await pool.query("select from email_tokens where user_id = $1", [user.id])).rowCount;
  await advance(29);
  expect(await countLinks()).toBe(1);
  await advance(3);
  expect(await countLinks()).toBe(0);
});
