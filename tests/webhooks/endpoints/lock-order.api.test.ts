import { afterAll, expect, test } from "vitest";
import { createEndpoint, recordEvents, openWebhookCalls } from "#tests/factories/webhook.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());

/**
 * Runs `blocked` while another transaction holds the locks that the statement `held` takes. Once `blocked` waits, that
 * transaction must get the locks for the statement `wanted` without waiting; otherwise both would deadlock.
 */
async function expectNoDeadlock(held: string, wanted: string, parameter: string, blocked: () => Promise<unknown>) {
  const client = await app.services.pool.connect();
  try {
    await client.query("begin");
    await client.query(held, [parameter]);
    const running = blocked();
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await app.services.pool.query(waiting)).rowCount, { timeout: 5_000 }).toBe(1);
    await client.query(`${wanted} nowait`, [parameter]);
    await client.query("commit");
    await running;
  } finally {
    client.release();
  }
}

const userFirst = "select from users where id = $1 for update";
const endpoints = "select from webhook_endpoints where owner_id = $1 order by id for update";

test("locks the user before the endpoints when recording an event, as account deletion does", async () => {
  const owner = await createUser(app);
  await createEndpoint(app, receiver, owner);
  await expectNoDeadlock(userFirst, endpoints, owner.id, () => recordEvents(app, owner.id));
});

test("locks the owner before the endpoint when sending a test event", async () => {
  const owner = await createUser(app);
  const { id, token } = await createEndpoint(app, receiver, owner);
  await expectNoDeadlock(userFirst, endpoints, owner.id, () => openWebhookCalls(app).test({ id }, token));
});

test("locks endpoints in the order of their ids", async () => {
  const owner = await createUser(app);
  await Promise.all(Array.from({ length: 3 }, () => createEndpoint(app, receiver, owner)));
  // Reverse the order in which they were added.
  await app.services.pool.query(
    `update webhook_endpoints e set created_at = e.created_at - o.place * interval '1 hour'
       from (select id, row_number() over (order by id) as place from webhook_endpoints where owner_id = $1) o
      where o.id = e.id`,
    [owner.id],
  );
  const lowest =
    "select from webhook_endpoints where id = (select id from webhook_endpoints where owner_id = $1 order by id limit 1) for update";
  await expectNoDeadlock(lowest, endpoints, owner.id, () => recordEvents(app, owner.id));
});

test("records no event for an endpoint that is being deleted", async () => {
  const owner = await createUser(app);
  const { id } = await createEndpoint(app, receiver, owner);
  const client = await app.services.pool.connect();
  try {
    await client.query("begin");
    await client.query("delete from webhook_endpoints where id = $1", [id]);
    const writing = recordEvents(app, owner.id);
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await app.services.pool.query(waiting)).rowCount).toBe(1);
    await client.query("commit");
    await writing;
  } finally {
    client.release();
  }
  expect((await app.services.pool.query("select from webhook_events where user_id = $1", [owner.id])).rowCount).toBe(0);
});
