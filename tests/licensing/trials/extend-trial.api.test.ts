import { beforeEach, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { emailTrialEnds } from "#api/licensing/trials/email-trial-ends.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
let admin = "";
beforeEach(async () => {
  // The clock moves further than a proof of identity lasts.
  admin = await signInAs(app, await createAdmin(app));
});
const findLicence = (id: string) => app.services.orm.em.fork().findOneOrFail(Licence, id);
const inDays = (days: number) => addMilliseconds(app.clock.now(), days * DAY);

const mutation = `mutation ($userId: ID!, $licenceId: ID!, $input: ExtendTrialInput!, $terms: TrialTermsInput!) {
  extendTrial(userId: $userId, licenceId: $licenceId, input: $input, terms: $terms) { id expiresAt usageLimit }
}`;

async function extend(
  { id, user, expiresAt, usageLimit }: Licence,
  input: object = {},
  terms: object = { expiresAt: expiresAt.toISOString(), usageLimit },
) {
  const variables = { userId: user.id, licenceId: id, input: { reason: "Asked by phone", ...input }, terms };
  const { data, errors } = await app.graphql(mutation, variables, admin);
  return { extended: data?.extendTrial, code: errors?.[0]?.extensions.code, fields: errors?.[0]?.extensions.fields };
}

test("adds days to the end of a trial and conversions to its limit, once, with the reason in the audit log", async () => {
  const trial = await createTrialLicence(app, await createUser(app), { expiresAt: inDays(2), usageLimit: 20 });
  const { extended } = await extend(trial, { days: 7, conversions: 10 });
  const expiresAt = addMilliseconds(trial.expiresAt, 7 * DAY);
  expect(extended).toEqual({ id: trial.id, expiresAt: expiresAt.toISOString(), usageLimit: 30 });
  // The terms that the caller saw are no longer the trial's.
  expect((await extend(trial, { days: 7 })).code).toBe("CONFLICT");
  expect(await findLicence(trial.id)).toMatchObject({ expiresAt, usageLimit: 30 });
  const entries = await app.context().em.find(AuditEntry, { subjectId: trial.id });
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ["extend-trial", { expiresAt: expiresAt.toISOString(), usageLimit: 30, reason: "Asked by phone" }],
  ]);
});

test("extends a trial that has ended from now, and reminds the customer of the new end", async () => {
  const user = await createUser(app);
  const trial = await createTrialLicence(app, user, { expiresAt: inDays(-5) });
  await runSweep(app.services, emailTrialEnds);
  const before = app.clock.now();
  const { extended } = await extend(trial, { days: 2 });
  const end = Date.parse(extended.expiresAt);
  expect(end).toBeGreaterThanOrEqual(addMilliseconds(before, 2 * DAY).getTime());
  expect(end).toBeLessThan(addMilliseconds(before, 3 * DAY).getTime());
  await runSweep(app.services, emailTrialEnds);
  app.clock.setOffset(3 * DAY);
  await runSweep(app.services, emailTrialEnds);
  app.clock.setOffset(0);
  const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject.replace(/^.*trial /, ""));
  expect(subjects).toEqual(["has ended", "ends soon", "has ended"]);
});

test("refuses a licence that isn't a trial, a deactivated trial, an archived owner, and a strange licence", async () => {
  const user = await createUser(app);
  const paid = await createLicence(app, user, { expiresAt: inDays(2) });
  const revoked = await createTrialLicence(app, user, { revokedAt: app.clock.now() });
  const ofArchived = await createTrialLicence(app, await createUser(app, { archivedAt: app.clock.now() }));
  for (const licence of [paid, revoked, ofArchived])
    expect([licence.productLevel, (await extend(licence, { days: 7 })).code]).toEqual([
      licence.productLevel,
      "CONFLICT",
    ]);
  const strange = await createTrialLicence(app, await createUser(app));
  const found = await app.graphql(
    mutation,
    {
      userId: user.id,
      licenceId: strange.id,
      input: { days: 1, reason: "Asked" },
      terms: { expiresAt: strange.expiresAt.toISOString(), usageLimit: strange.usageLimit },
    },
    admin,
  );
  expect(found.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("needs days or conversions within their limits, and a reason", async () => {
  const trial = await createTrialLicence(app, await createUser(app));
  for (const [input, field] of [
    [{}, "days"],
    [{ days: 91 }, "days"],
    [{ days: -1 }, "days"],
    [{ conversions: 1_001 }, "conversions"],
    [{ days: 1, reason: " " }, "reason"],
  ] as const) {
    const { code, fields } = await extend(trial, input);
    expect([input, code, Object.keys(fields ?? {})]).toEqual([input, "BAD_USER_INPUT", [field]]);
  }
});
