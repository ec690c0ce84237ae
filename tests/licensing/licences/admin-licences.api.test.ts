import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { buildLicenceInput } from "#tests/factories/licence-input.ts";
import { advanceTime, createSubscriber, getCustomerId, loadSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const findLicence = (id: string) => app.services.orm.em.fork().findOneOrFail(Licence, id);

const addLicence = `mutation ($userId: ID!, $input: AddLicenceInput!) {
  addLicence(userId: $userId, input: $input) { id licenceCode subscriptionLevel status isSubscribed owner { email } }
}`;
const updateLicence = `mutation ($userId: ID!, $licenceId: ID!, $input: UpdateLicenceInput!, $began: LicenceTermsInput) {
  updateLicence(userId: $userId, licenceId: $licenceId, input: $input, began: $began) {
    id expiresAt licenceCategory purchaseOrderNumber
  }
}`;
const deactivateLicence = `mutation ($userId: ID!, $licenceId: ID!) {
  deactivateLicence(userId: $userId, licenceId: $licenceId) { id status isSubscribed }
}`;

const deactivate = (userId: string, licenceId: string) => app.graphql(deactivateLicence, { userId, licenceId }, admin);

test("adds a licence for an admin, returns all its fields, and validates the input like the form", async () => {
  const user = await createUser(app);
  const { data, errors } = await app.graphql(addLicence, { userId: user.id, input: buildLicenceInput() }, admin);
  expect(errors).toBeUndefined();
  expect(data.addLicence).toMatchObject({
    subscriptionLevel: "Corporate Dark Concurrent",
    status: "ACTIVE",
    isSubscribed: false,
    owner: { email: user.email },
  });
  const faulty = await app.graphql(
    addLicence,
    { userId: user.id, input: buildLicenceInput({ floatingHeartBeatIntervalMinutes: 61 }) },
    admin,
  );
  expect(faulty.errors?.[0]?.extensions).toMatchObject({
    code: "BAD_USER_INPUT",
    fields: { floatingHeartBeatIntervalMinutes: ["Must be at most 60."] },
  });
});

describe("form opened before another admin's change", () => {
  const began = (licence: Licence) => ({
    expiresAt: licence.expiresAt.toISOString(),
    licenceCategory: licence.licenceCategory,
    purchaseOrderNumber: licence.purchaseOrderNumber,
    projectTerm: licence.projectTerm,
  });

  test("overwrites nothing and reports the conflict; succeeds when reopened", async () => {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    const change = (input: object, from?: object) =>
      app.graphql(updateLicence, { userId: user.id, licenceId: licence.id, input, began: from }, admin);
    const mine = { licenceCategory: 2, expiryDate: licence.expiresAt.toISOString(), purchaseOrderNumber: "PO-1" };
    expect((await change(mine, began(licence))).data.updateLicence).toMatchObject({ purchaseOrderNumber: "PO-1" });
    const late = await change({ ...mine, purchaseOrderNumber: "PO-2" }, began(licence));
    expect(late.errors?.[0]).toMatchObject({
      message: "This licence was changed while you were editing it. Close the form to see the current values.",
      extensions: { code: "CONFLICT" },
    });
    expect((await findLicence(licence.id)).purchaseOrderNumber).toBe("PO-1");
    const second = await change({ ...mine, purchaseOrderNumber: "PO-2" }, began(await findLicence(licence.id)));
    expect(second.data.updateLicence.purchaseOrderNumber).toBe("PO-2");
  });
});

describe("deactivating a licence paid for by a subscription", () => {
  test("ends the subscription at the payment provider, so that the customer isn't charged and can subscribe again", async () => {
    const { user, licence, token } = await createSubscriber(app);
    const before = await app.graphql(
      "query ($id: ID!) { licence(id: $id) { isSubscribed } }",
      { id: licence.id },
      admin,
    );
    expect(before.data.licence.isSubscribed).toBe(true);
    expect((await deactivate(user.id, licence.id)).data.deactivateLicence.status).toBe("REVOKED");
    const notice = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("deactivated"));
    expect(notice?.text).toContain("The subscription for this licence also ends");

    await advanceTime(app, 0);
    const atProvider = await app.services.payments.listSubscriptions(await getCustomerId(app, user.id));
    expect(atProvider.map(({ status }) => status)).toEqual(["ended"]);
    expect((await loadSubscription(app, user.id)).subscription.status).toBe("cancelled");
    const paid = async () => {
      const found = await app.services.payments.listSubscriptions(await getCustomerId(app, user.id));
      return found.flatMap((one) => one.invoices).length;
    };
    const charged = await paid();
    await advanceTime(app, 40);
    expect(await paid()).toBe(charged);
    expect((await findLicence(licence.id)).revokedAt).not.toBeNull();
    const status = await app.graphql("{ me { hasActiveSubscription } }", {}, await signInAs(app, user));
    expect(status.data.me.hasActiveSubscription).toBe(false);
    expect(token).toBeTruthy();
  });

  test("ends a subscription that predates the payment provider in our records", async () => {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    await createSubscription(app, licence);
    const { data } = await app.graphql(
      deactivateLicence,
      { userId: user.id, licenceId: licence.id },
      await signInAs(app, await createAdmin(app)),
    );
    expect(data.deactivateLicence).toMatchObject({ status: "REVOKED", isSubscribed: false });
    expect((await loadSubscription(app, user.id)).subscription).toMatchObject({
      status: "cancelled",
      endedAt: expect.any(Date),
    });
  });
});

test("finds the subscriptions of any number of licences with one statement", async () => {
  const user = await createUser(app);
  for (let n = 0; n < 5; n++) await createLicence(app, user);
  const token = await signInAs(app, user);
  const statements = await recordStatements(async () => {
    const { data } = await app.graphql("{ me { licences { isSubscribed } } }", {}, token);
    expect(data.me.licences).toHaveLength(5);
  });
  expect(statements.filter((text) => text.includes('"subscriptions"'))).toHaveLength(1);
});

test("resets the deactivation counter with an audit entry; returns NOT_FOUND for an unknown user", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const reset = (userId: string) =>
    app.graphql(
      "mutation ($userId: ID!) { resetDeactivationCounter(userId: $userId) { remaining } }",
      { userId },
      token,
    );
  const user = await createUser(app, { annualDeactivationLimit: 4 });
  expect((await reset(user.id)).data.resetDeactivationCounter).toEqual({ remaining: 4 });
  const entries = await app.services.orm.em.fork().find(AuditEntry, { userId: user.id });
  expect(entries.map(({ action }) => action)).toEqual(["reset-deactivations"]);
  expect((await reset("no-id")).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});
