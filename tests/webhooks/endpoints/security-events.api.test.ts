import { beforeEach, expect, test, vi } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { verifyChain } from "#api/audit/chain/verify-chain.ts";
import { HOUR } from "#api/platform/clock.ts";
import { runSweeps } from "#api/platform/jobs/sweeps.ts";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { MemberType } from "#schema/user.ts";
import { createEndpoint } from "#tests/factories/webhook.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { sealEntries } from "#api/audit/chain/seal-entries.ts";
import { sendLastLink, sendSecurityEvents } from "#api/webhooks/endpoints/send-security-events.ts";
import { runOnly } from "#tests/support/run-only.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { isSignedBy, startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
const eventTypes = ["SECURITY_EVENT_CREATED"];

let owner: User;
let endpoint: Awaited<ReturnType<typeof createEndpoint>>;

/** Links and sends the events that were recorded so far. */
async function sendAll(): Promise<void> {
  await runOnly(app, sealEntries, sendSecurityEvents, sendLastLink);
}

/** Returns the security events that the owner's endpoint received about a user. */
async function listReceived(user: User | null) {
  await sendAll();
  return endpoint.posts().filter(({ json }) => json.data.userId === (user?.id ?? null));
}

beforeEach(async () => {
  await app.services.pool.query("delete from webhook_endpoints");
  owner = await createAdmin(app);
  endpoint = await createEndpoint(app, receiver, owner, { eventTypes });
  await sendAll();
});

async function countEvents(): Promise<number> {
  const { rows } = await app.services.pool.query("select coalesce(sum(count), 0)::int as count from security_events");
  return rows[0].count;
}

/** Signs in and waits for the event, which is written after the response. */
async function signIn(email: string, password: string) {
  const before = await countEvents();
  await app.graphql("signIn { message }", { input: { email, password } });
  await vi.waitFor(async () => expect(await countEvents()).toBeGreaterThan(before), { timeout: 10_000 });
}

test("sends a failed sign-in to owners once, signed, without the email or the password, also of an unknown account", async () => {
  const user = await createUser(app);
  await signIn(user.email, "Wrong-password-1");
  const [post, ...others] = await listReceived(user);
  expect(others).toEqual([]);
  expect(isSignedBy(endpoint.secret, post!)).toBe(true);
  const { rows } = await app.services.pool.query("select id, at from security_events where user_id = $1", [user.id]);
  const at = new Date(rows[0].at).toISOString();
  expect(post?.json).toEqual({
    id: rows[0].id,
    type: "security-event.created",
    createdAt: at,
    data: {
      userId: user.id,
      securityEvent: {
        id: rows[0].id,
        type: "sign-in.failed",
        at,
        actorId: null,
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
        count: 1,
        detail: { client: "portal", reason: "wrong-password" },
      },
    },
  });
  for (const hidden of [user.email, user.firstName, "Wrong-password-1"]) expect(post?.body).not.toContain(hidden);
  await sendAll();
  expect(await listReceived(user)).toHaveLength(1);

  await signIn("nobody@example.com", testPassword);
  const unknown = await listReceived(null);
  expect(unknown.map(({ json }) => json.data.securityEvent.type)).toEqual(["sign-in.failed"]);
});

test("ends pending deliveries to an owner who becomes a customer", async () => {
  await signIn(owner.email, "Wrong-password-1");
  await signIn("nobody@example.com", testPassword);
  await runSweeps(app.services, [sealEntries, sendSecurityEvents]);
  const before = endpoint.posts().length;
  const setType = (memberType: MemberType) => app.context().em.nativeUpdate(User, { id: owner.id }, { memberType });
  await setType(MemberType.Regular);
  await app.services.jobs.drain();
  expect(endpoint.posts()).toHaveLength(before);
  await setType(MemberType.Admin);
  expect((await endpoint.log({ status: "FAILED" })).total).toBeGreaterThanOrEqual(2);
  expect((await endpoint.log({ status: "PENDING" })).total).toBe(0);
});

test("sends nothing for a change that is rolled back", async () => {
  const user = await createUser(app);
  const context = app.context();
  const failing = context.em.transactional(async (em) => {
    await recordSecurityEvent(context, em as never, {
      type: "role.changed",
      userId: user.id,
      detail: { before: "Regular", after: "Admin" },
    });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect(await listReceived(user)).toEqual([]);
});

test("skips events while no endpoint is subscribed", async () => {
  await app.services.pool.query("delete from webhook_endpoints");
  const user = await createUser(app);
  await signIn(user.email, "Wrong-password-1");
  await sendAll();
  endpoint = await createEndpoint(app, receiver, owner, { eventTypes });
  expect(await listReceived(user)).toEqual([]);
});

test("deletes the events of an erased user, also those caused by an erased admin", async () => {
  const [user, admin, other] = [await createUser(app), await createAdmin(app), await createUser(app)];
  await signIn(user.email, "Wrong-password-1");
  await app.call("viewAsCustomer { expiresIn }", { userId: other.id }, await signInAs(app, admin));
  await sendAll();
  const token = await signInAs(app, owner);
  for (const { id: userId } of [user, admin]) await app.call("eraseUser { userId }", { userId }, token);
  await sendAll();
  const { rows } = await app.services.pool.query(
    `select payload from webhook_events where user_id = $1 or payload like $2`,
    [user.id, `%"actorId":"${admin.id}"%`],
  );
  for (const { payload } of rows) expect(JSON.parse(payload).data.securityEvent).toMatchObject({ address: "" });
  expect(rows.filter(({ payload }) => payload.includes("sign-in.failed"))).toEqual([]);
});

test("sends the last link of the audit log to owners, at most once an hour", async () => {
  const links = await createEndpoint(app, receiver, owner, { eventTypes: ["AUDIT_LINK_CREATED"] });
  const since = async () => {
    app.clock.setOffset(app.clock.offsetMs + HOUR);
    await signIn(owner.email, "Wrong-password-1");
    await sendAll();
    await sendAll();
    return links.posts().map(({ json }) => json.data as { link: number; hash: string });
  };
  const first = await since();
  expect(first).toEqual([{ link: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  const key = getAuditKey(app.services) ?? "";
  expect(await verifyChain(app.services.pool, key, new Date(), first[0]?.hash)).toMatchObject({ ok: true });
  const [, second, ...others] = await since();
  expect(others).toEqual([]);
  expect(second?.link).toBeGreaterThan(first[0]?.link ?? 0);
});
