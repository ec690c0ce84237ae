import { expect, test } from "vitest";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));

const cancelMutation = `mutation ($reason: CancellationReason, $comment: String) {
  cancelSubscription(reason: $reason, comment: $comment) { subscription { isCancelledAtPeriodEnd } } }`;
const cancel = (token: string, variables: Record<string, unknown> = {}) =>
  app.graphql(cancelMutation, variables, token);
const resume = (token: string) => app.graphql("mutation { resumeSubscription { hasActiveSubscription } }", {}, token);

async function listCancellations(userId: string) {
  const { rows } = await app.services.pool.query(
    `select c.reason, c.comment, c.withdrawn_at is not null as withdrawn
       from subscription_cancellations c join subscriptions s on s.id = c.subscription_id
      where s.user_id = $1 order by c.cancelled_at, c.id`,
    [userId],
  );
  return rows as { reason: string | null; comment: string | null; withdrawn: boolean }[];
}

async function readHistory(userId: string) {
  const query = `query ($id: ID!) { user(id: $id) {
    timeline(first: 20, kinds: [SUBSCRIPTION]) { rows { title subject detail } } } }`;
  const { data, errors } = await app.graphql(query, { id: userId }, admin);
  expect(errors).toBeUndefined();
  return data.user.timeline.rows as { title: string; subject: string; detail: string | null }[];
}

test("stores the reason, and shows it to staff in the history and the list, and in the customer's data", async () => {
  const { user, token } = await createSubscriber(app);
  const { data } = await cancel(token, { reason: "TOO_EXPENSIVE", comment: "  Only two projects a year. " });
  expect(data.cancelSubscription.subscription.isCancelledAtPeriodEnd).toBe(true);
  expect(await listCancellations(user.id)).toEqual([
    { reason: "TOO_EXPENSIVE", comment: "Only two projects a year.", withdrawn: false },
  ]);
  expect(await readHistory(user.id)).toContainEqual({
    title: "Cancelled the subscription",
    subject: "Professional, monthly",
    detail: "It's too expensive. “Only two projects a year.”",
  });
  const list = `query ($search: String) { dashboardList(list: SUBSCRIPTIONS_LEAVING, days: 30, filter: { search: $search }) {
    rows { what } } }`;
  const { data: leaving, errors } = await app.graphql(list, { search: user.email }, admin);
  expect(errors).toBeUndefined();
  expect(leaving.dashboardList.rows[0].what).toMatch(/ends with the current period, It's too expensive$/);
  const { json: personal } = await app.rest("GET", "/v1/core/accounts/my-data", { token });
  expect(personal.cancelledSubscriptions).toMatchObject([
    { reason: "It's too expensive", comment: "Only two projects a year.", withdrawnAt: null },
  ]);
});

test("needs no reason, keeps the first request's reason, and records a new one after the subscription was resumed", async () => {
  const { user, token } = await createSubscriber(app);
  expect((await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token })).status).toBe(200);
  expect(await listCancellations(user.id)).toEqual([{ reason: null, comment: null, withdrawn: false }]);
  expect((await readHistory(user.id))[0]).toMatchObject({ title: "Cancelled the subscription", detail: null });
  await resume(token);
  await cancel(token, { reason: "OTHER_SOLUTION" });
  await cancel(token);
  const other = { reason: "OTHER_SOLUTION", comment: null };
  expect((await listCancellations(user.id)).slice(1)).toEqual([{ ...other, withdrawn: false }]);
  await resume(token);
  await cancel(token, { comment: "Moving abroad." });
  expect((await listCancellations(user.id)).slice(1)).toEqual([
    { ...other, withdrawn: true },
    { reason: null, comment: "Moving abroad.", withdrawn: false },
  ]);
  expect((await readHistory(user.id)).map(({ title }) => title)).toContain("Resumed the subscription");
});

test("rejects a comment of more than 500 characters and an unknown reason, and cancels nothing", async () => {
  const { user, token } = await createSubscriber(app);
  const tooLong = await cancel(token, { reason: "OTHER", comment: "x".repeat(501) });
  expect(tooLong.errors?.[0]?.extensions).toMatchObject({
    code: "BAD_USER_INPUT",
    fields: { comment: ["Must be at most 500 characters."] },
  });
  expect((await cancel(token, { reason: "BORED" })).errors).toBeDefined();
  expect(await listCancellations(user.id)).toEqual([]);
});
