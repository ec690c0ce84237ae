import { expect, test, beforeEach, describe } from "vitest";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { purgeEmails } from "#api/messaging/emails/deliver-email.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY, getRealNow } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { buildProfile } from "#tests/factories/account.ts";
import { createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { findEmailedSecret, findEmails } from "#tests/support/mailbox.ts";
import { finishErasures } from "#tests/support/finish-erasures.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const accounts = "/v1/core/accounts";

/** Sends a request whose headers claim that this site has another address. */
async function requestWithForgedHost(method: "GET" | "POST" | "PUT" | "PATCH", url: string, body?: object, token = "") {
  const response = await app.app.inject({
    method,
    url,
    headers: {
      host: "127.0.0.1:8181",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "ftp",
      "x-forwarded-port": "81",
      forwarded: "host=evil.example;proto=ftp",
      "x-original-host": "evil.example",
      origin: "https://evil.example",
      referer: "https://evil.example/",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { payload: body } : {}),
  });
  expect(response.statusCode, `${method} ${url} ${response.body}`).toBeOneOf([200, 202]);
  expect(response.body).not.toMatch(/evil|8181/);
  return response.json() as unknown;
}

const newPassword = (password = "Gantt-charts-44") => ({ password, confirmPassword: password });

test("links every account email to PUBLIC_URL, whatever the Host header says", async () => {
  const owner = await createUser(app);
  // Register with a new and with a taken address, resend the link, change the address, and confirm.
  const { email } = buildRegistration();
  const handle = String(await requestWithForgedHost("POST", accounts, buildRegistration({ email })));
  await requestWithForgedHost("POST", accounts, buildRegistration({ email: owner.email }));
  await requestWithForgedHost("GET", `${accounts}/resend-confirmation-email/${handle}`);
  await requestWithForgedHost("POST", `${accounts}/resend-confirmation-email/${handle}`);
  const moved = buildRegistration().email;
  await requestWithForgedHost("PUT", `${accounts}/change-email-address`, { userId: handle, email: moved });
  await requestWithForgedHost("POST", `${accounts}/confirm-email`, {
    confirmationToken: await findEmailedSecret(app, moved),
    // This request comes from another browser, so it needs a password.
    ...newPassword(testPassword),
  });
  // Sign in from a new device.
  const signIn = { UserName: moved, Password: testPassword, ClientId: "portal", GrantType: "password" };
  await app.services.pool.query("update sessions set user_agent = 'Elsewhere/1'");
  await requestWithForgedHost("POST", "/v1/core/auth/token", signIn);
  // Reset and change the password.
  await requestWithForgedHost("PATCH", `${accounts}/${owner.email}/password/reset/request`);
  const resetToken = await findEmailedSecret(app, owner.email);
  await requestWithForgedHost("POST", `${accounts}/password/reset`, { ...newPassword(), resetToken });
  const token = await signInAs(app, owner);
  const change = { existingPassword: "Gantt-charts-44", ...newPassword("Critical-path-7") };
  await requestWithForgedHost("POST", `${accounts}/password/change`, change, token);
  // Request a taken and a new address for an account, and confirm the new one.
  await requestWithForgedHost("PUT", `${accounts}/update-profile`, buildProfile({ email: moved }), token);
  const next = buildRegistration().email;
  await requestWithForgedHost("PUT", `${accounts}/update-profile`, buildProfile({ email: next }), token);
  const { emailChangeHandle } = await app.context().em.findOneOrFail(User, owner.id);
  await requestWithForgedHost("POST", `${accounts}/resend-confirmation-email/${emailChangeHandle}`);
  await requestWithForgedHost("POST", `${accounts}/confirm-email`, {
    confirmationToken: await findEmailedSecret(app, next),
  });
  const contact = { name: "Ada", email: "ada@example.com", phone: "0400 000 000", message: "Hello" };
  await requestWithForgedHost("POST", "/v1/contact-us/send", contact);

  const emails = await findEmails(app);
  for (const { subject, text, html } of emails) {
    expect(`${text}${html}`, subject).not.toMatch(/evil|8181|ftp:/);
    const hrefs = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    const links = [...hrefs, ...(text.match(/\b\w+:\/\/\S+/g) ?? [])].filter((link) => !link.startsWith("mailto:"));
    expect(links.length, subject).toBeGreaterThan(0);
    for (const link of links) expect(link, subject).toMatch(/^http:\/\/portal\.test\//);
  }
  expect([...new Set(emails.map(({ subject }) => subject))].toSorted()).toEqual([
    "A new email address was requested for your Planvarro Software account",
    "Choose a new password for Planvarro Software",
    "Confirm your email address for Planvarro Software",
    "Confirm your new email address for Planvarro Software",
    "Contact form: message from Ada",
    "New sign-in to your Planvarro Software account",
    "You already have an account at Planvarro Software",
    "Your email address at Planvarro Software has changed",
    "Your password for Planvarro Software was changed",
  ]);

  // Deleting the account also deletes its emails, so it comes last.
  const deletion = {
    query: "mutation ($input: DeleteMyAccountInput!) { deleteMyAccount(input: $input) { id } }",
    variables: { input: { password: "Critical-path-7" } },
  };
  await requestWithForgedHost("POST", "/graphql", deletion, token);
  await finishErasures(app);
  const [last] = await findEmails(app, { to: next });
  expect(`${last?.text}${last?.html}`).toContain("http://portal.test/");
  expect(`${last?.text}${last?.html}`).not.toContain("evil");
});

describe("purging", () => {
  const em = () => app.context().em;
  const purge = () => runSweep(app.services, purgeEmails);

  beforeEach(async () => {
    app.clock.setOffset(0);
    await em().nativeDelete(Email, {});
  });

  /** Creates emails that are `daysOld` days old by the real clock. */
  async function write(daysOld: number, changes: Partial<Email> = {}, count = 1): Promise<void> {
    const writing = em();
    const email = { to: `old-${daysOld}@example.com`, subject: "Hello", text: "Hello", html: "Hello" };
    const createdAt = addMilliseconds(getRealNow(app.clock), -daysOld * DAY);
    for (let n = 0; n < count; n++) writing.create(Email, { ...email, createdAt, ...changes });
    await writing.flush();
  }

  const recipients = async () => (await em().find(Email, {}, { orderBy: { createdAt: "asc" } })).map(({ to }) => to);

  test("deletes emails older than 90 days in several batches, by the development clock", async () => {
    await write(91, {}, 2_100);
    await write(89);
    await purge();
    expect(await recipients()).toEqual(["old-89@example.com"]);
    app.clock.setOffset(2 * DAY);
    await purge();
    expect(await recipients()).toEqual([]);
  });

  test("clears an old notification but keeps its key, so it isn't sent again", async () => {
    const personal = { replyTo: "a@example.com", lastError: "a@example.com" };
    await write(400, { dedupeKey: "trial-ended:1", attachment: null, ...personal });
    await purge();
    const cleared = { to: "", replyTo: null, subject: "", text: "", html: "", lastError: null };
    expect(await em().find(Email, {})).toMatchObject([{ ...cleared, dedupeKey: "trial-ended:1" }]);
  });

  test("deletes the last email to an erased user after 7 days, delivered or not", async () => {
    await write(8, { eraseWhenDelivered: true });
    await write(8, { eraseWhenDelivered: true, to: "" });
    await write(6, { eraseWhenDelivered: true });
    await purge();
    expect(await recipients()).toEqual(["old-6@example.com"]);
  });
});
