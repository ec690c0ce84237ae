import { expect, test } from "vitest";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { advanceTime, cardFields, createSubscriber, listProviderInvoices } from "#tests/factories/subscription.ts";
import { signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const getEventKinds = async (licenceId: string) =>
  (await app.services.orm.em.fork().find(LicenceEvent, { licenceId }, { orderBy: { at: "asc", id: "asc" } })).map(
    ({ kind }) => kind,
  );

test("records each change that the subscription causes once in the licence's history", async () => {
  const { user, licence } = await createSubscriber(app, { productId: "xer-standard-monthly" });
  expect(await getEventKinds(licence.id)).toEqual(["issue"]);
  const patch = async (call: string) =>
    app.rest("PATCH", `/v1/subscriptions/${call}`, { token: await signInAs(app, user) });
  await patch("cancel-subscription");
  await patch("resume-subscription");
  expect(await getEventKinds(licence.id)).toEqual(["issue", "shorten", "extend"]);
  await advanceTime(app, 10);
  await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-professional-monthly", {
    token: await signInAs(app, user),
  });
  expect(await getEventKinds(licence.id)).toEqual(["issue", "shorten", "extend", "change"]);
  await advanceTime(app, 25);
  expect(await getEventKinds(licence.id)).toEqual(["issue", "shorten", "extend", "change", "extend"]);
});

test.each([
  ["won", "reinstate"],
  ["lost", "revoke"],
])("records a suspension during a dispute; when the dispute is %s, records '%s'", async (outcome, last) => {
  const { user, licence } = await createSubscriber(app, cardFields("disputed"));
  await advanceTime(app, 1);
  expect(await getEventKinds(licence.id)).toEqual(["issue", "suspend"]);
  const [invoice] = await listProviderInvoices(app, user.id);
  await closeDispute(invoice?.chargeId ?? "", outcome);
  await advanceTime(app, 0.001);
  expect(await getEventKinds(licence.id)).toEqual(["issue", "suspend", last]);
});

/** Closes a dispute with an outcome, through a call that only the simulator has. */
async function closeDispute(charge: string, outcome: string): Promise<void> {
  const { url, secretKey } = app.simulator;
  const headers = { authorization: `Bearer ${secretKey}` };
  const found = (await (await fetch(`${url}/v1/disputes?charge=${charge}`, { headers })).json()) as {
    data: { id: string }[];
  };
  const close = `${url}/v1/test_helpers/disputes/${found.data[0]?.id}/close`;
  const response = await fetch(close, { method: "POST", headers, body: new URLSearchParams({ outcome }) });
  if (!response.ok) throw new Error(await response.text());
}
