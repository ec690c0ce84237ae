import { describe, expect, test, afterEach } from "vitest";
import { closeUnconfirmed, remindUnconfirmed } from "#api/access/registration/unconfirmed-registrations.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createDraftInvoice } from "#tests/factories/manual-invoice.ts";
import { createUser, buildRegistration } from "#tests/factories/user.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const calls = createAccountCalls(app);
const { checkConfirmation, confirm } = calls;
const em = () => app.services.orm.em.fork();

async function register(changes: Record<string, unknown> = {}) {
  const body = buildRegistration(changes);
  const { json: handle, status } = await calls.register(body);
  expect(status).toBe(200);
  return { email: body.email, body, handle: handle as string };
}

const subjects = async (email: string) => (await calls.listSubjects(email)).reverse();
const exists = async (handle: string) => (await em().count(User, { confirmationHandle: handle })) === 1;

const confirmation = "Confirm your email address for Planvarro Software";
const reminder = "Please confirm your email address for Planvarro Software";
const closed = "Your Planvarro Software registration was removed";

async function sweep(): Promise<void> {
  await runSweep(app.services, remindUnconfirmed);
  await runSweep(app.services, closeUnconfirmed);
}

/** Runs the sweep after a number of days, twice. The second run must find nothing to do. */
async function after(days: number, check: () => Promise<void>): Promise<void> {
  app.clock.setOffset(days * DAY);
  await sweep();
  await sweep();
  await check();
}

describe.each([
  ["without", 7, {}],
  ["with", 3, { trialIntent: true }],
])("unconfirmed registration %s trial intent", (_, days, changes) => {
  test("gets a confirmation that names the free trial only if it was registered for it", async () => {
    const { email } = await register(changes);
    const [mail] = await listEmailsTo(app, email);
    expect(/start\s+your\s+free\s+trial/.test(mail?.text ?? "")).toBe("trialIntent" in changes);
  });

  test(`gets one reminder with a valid link a day before the ${days} days end`, async () => {
    const { email, handle } = await register(changes);
    const first = await findEmailedSecret(app, email);
    await after(days - 1 - HOUR / DAY, async () => expect(await subjects(email)).toEqual([confirmation]));
    await after(days - 1 + HOUR / DAY, async () => {
      expect(await subjects(email)).toEqual([confirmation, reminder]);
      expect((await confirm(first)).status).toBe(400);
      expect((await confirm(await findEmailedSecret(app, email))).status).toBe(200);
    });
    await after(days + 1, async () => expect(await exists(handle)).toBe(true));
    expect(await subjects(email)).not.toContain(closed);
  });

  test(`is deleted with its links after ${days} days, which notifies the user and releases the address`, async () => {
    const { email, handle, body } = await register(changes);
    const user = await em().findOneOrFail(User, { confirmationHandle: handle });
    await after(days - HOUR / DAY, async () => expect(await exists(handle)).toBe(true));
    const link = await findEmailedSecret(app, email);
    await after(days + HOUR / DAY, async () => {
      expect(await exists(handle)).toBe(false);
      expect(await em().count(EmailToken, { user: user.id })).toBe(0);
      expect(await subjects(email)).toEqual([confirmation, reminder, closed]);
      const refused = await confirm(link);
      expect(refused.json).toEqual({ confirmationToken: ["Sorry, that email confirmation token is invalid."] });
      expect((await checkConfirmation(handle)).status).toBe(404);
    });
    const again = await calls.register(body);
    expect(again.status).toBe(200);
    expect((await em().findOneOrFail(User, { confirmationHandle: again.json })).signInEmail).toBe(email);
  });
});

test("deletes a registration of a taken address without sending an email", async () => {
  const owner = await createUser(app);
  const { handle } = await register({ email: owner.email });
  const subjectsBefore = await subjects(owner.email);
  await after(6.5, async () => expect(await exists(handle)).toBe(true));
  await after(8, async () => expect(await exists(handle)).toBe(false));
  expect(await subjects(owner.email)).toEqual(subjectsBefore);
  expect(await em().count(User, owner.id)).toBe(1);
});

test("reminds and deletes others after a registration that fails", async () => {
  await createUser(app, { email: "no address", emailConfirmedAt: null });
  const { email } = await register();
  await after(6.5, async () => expect(await subjects(email)).toEqual([confirmation, reminder]));
  await after(8, async () => expect(await subjects(email)).toEqual([confirmation, reminder, closed]));
});

test("keeps confirmed, archived and licensed accounts, and those with a draft invoice", async () => {
  const confirmed = await createUser(app);
  const archived = await createUser(app, { emailConfirmedAt: null, archivedAt: app.clock.now() });
  const licensed = await createUser(app, { emailConfirmedAt: null });
  await createLicence(app, licensed);
  const quoted = await createUser(app, { emailConfirmedAt: null });
  await createDraftInvoice(app, quoted);
  await after(30, async () => {
    for (const { id, email } of [confirmed, archived, licensed, quoted]) {
      expect(await em().count(User, id)).toBe(1);
      expect(await subjects(email)).toEqual([]);
    }
  });
});

test("sends one reminder and deletes the account once if several sweeps run at the same time", async () => {
  const { email, handle } = await register();
  app.clock.setOffset(6.5 * DAY);
  await Promise.all(Array.from({ length: 4 }, sweep));
  expect((await subjects(email)).filter((subject) => subject === reminder)).toHaveLength(1);
  app.clock.setOffset(7.5 * DAY);
  await Promise.all(Array.from({ length: 4 }, sweep));
  expect((await subjects(email)).filter((subject) => subject === closed)).toHaveLength(1);
  expect(await exists(handle)).toBe(false);
});

test("either confirms an account or rejects its link as invalid while the account is being deleted", async () => {
  const registrations = [];
  for (let count = 0; count < 10; count++) registrations.push(await register());
  app.clock.setOffset(6.5 * DAY);
  await sweep();
  const links = [];
  for (const { email } of registrations) links.push(await findEmailedSecret(app, email));
  app.clock.setOffset(7 * DAY + HOUR);
  const removal = sweep();
  const answers = await Promise.all(links.toReversed().map(confirm));
  await removal;
  await sweep();
  for (const [index, { handle }] of registrations.toReversed().entries())
    expect([index, answers[index]?.status]).toEqual([index, (await exists(handle)) ? 200 : 400]);
});
