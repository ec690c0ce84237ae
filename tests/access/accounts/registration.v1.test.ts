import { describe, expect, test } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { createAdmin, createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { changeUnconfirmedEmail, checkConfirmation, confirm, loadMe, register, resendConfirmation, signIn } =
  createAccountCalls(app);
const findUser = (email: unknown) => app.context().em.findOneOrFail(User, { email: email as string });

async function registerFresh() {
  const email = freshEmail();
  const handle = (await register(buildRegistration({ email }))).json as string;
  return { email, handle, secret: await findEmailedSecret(app, email) };
}

describe("registering", () => {
  test("emails a link that confirms the address and signs in once, and returns a handle other than the id", async () => {
    const { email, handle, secret } = await registerFresh();
    expect(handle).not.toBe((await findUser(email)).id);
    expect((await checkConfirmation(handle)).json).toBe(email);
    expect((await listEmailsTo(app, email))[0]?.text).toContain("http://portal.test/confirm-email?t=");
    const confirmed = await confirm(secret);
    expect(confirmed.status).toBe(200);
    expect((await loadMe(confirmed.json.access_token)).data.me).toMatchObject({ email, emailConfirmed: true });
    expect((await checkConfirmation(handle)).json).toBe("Confirmed");
    expect((await confirm(secret)).json).toEqual({
      confirmationToken: ["Sorry, that email confirmation token is invalid."],
    });
  });

  test("ignores fields that visitors can't set", async () => {
    const values = buildRegistration({
      memberType: 3,
      annualDeactivationLimit: 999,
      hasCompletedTrial: true,
      emailConfirmedAt: "2020-01-01",
    });
    expect((await register(values)).status).toBe(200);
    expect(await findUser(values.email)).toMatchObject({
      memberType: 1,
      annualDeactivationLimit: 3,
      hasCompletedTrial: false,
      emailConfirmedAt: null,
    });
  });

  test("gives new and taken addresses the same result, notifies the owner and allows a change to another address", async () => {
    const owner = await createUser(app);
    const free = buildRegistration();
    const taken = buildRegistration({ email: owner.email.toUpperCase(), firstName: "Late" });
    const [first, second] = [await register(free), await register(taken)];
    const toShape = ({ status, headers, text }: typeof first) => [
      status,
      [...headers.keys()].filter((name) => name !== "date").toSorted(),
      text.replace(/[0-9a-f]/g, "0"),
    ];
    expect(toShape(second)).toEqual(toShape(first));
    expect((await checkConfirmation(second.json)).json).toBe(taken.email);
    expect((await resendConfirmation(second.json)).status).toBe((await resendConfirmation(first.json)).status);
    expect((await listEmailsTo(app, owner.email))[0]?.text).not.toContain("?t=");
    // The correct password reveals no more than it does for a new address.
    expect((await signIn(free.email)).json).toEqual({ not_confirmed: [first.json] });

    const own = freshEmail();
    expect((await changeUnconfirmedEmail(second.json, own)).status).toBe(200);
    expect((await confirm(await findEmailedSecret(app, own))).status).toBe(200);
    expect([(await signIn(own)).status, (await signIn(owner.email)).status]).toEqual([200, 200]);
  });
});

describe("confirmation page", () => {
  test("accepts only the newest link, for 72 hours, and only for the current address", async () => {
    const { email, handle, secret } = await registerFresh();
    await resendConfirmation(handle);
    expect((await confirm(secret)).status).toBe(400);
    const newest = await findEmailedSecret(app, email);
    app.clock.setOffset(3 * DAY + 1_000);
    expect((await confirm(newest)).status).toBe(400);
    app.clock.setOffset(0);
    const moved = freshEmail();
    await changeUnconfirmedEmail(handle, moved);
    expect((await confirm(newest)).status).toBe(400);
    expect((await checkConfirmation(handle)).json).toBe(moved);
    expect((await confirm(await findEmailedSecret(app, moved))).status).toBe(200);
  });

  test("rejects an invalid address and any change of a confirmed one", async () => {
    const { handle, secret } = await registerFresh();
    expect((await changeUnconfirmedEmail(handle, "nope")).json).toEqual({ email: ["Invalid email."] });
    await confirm(secret);
    expect((await changeUnconfirmedEmail(handle, "thief@example.com")).status).toBe(403);
    expect((await checkConfirmation(handle)).json).toBe("Confirmed");
  });

  test("knows no handle of an archived account", async () => {
    const { email, handle } = await registerFresh();
    await app.services.pool.query("update users set archived_at = now() where confirmation_handle = $1", [handle]);
    const calls = [checkConfirmation, resendConfirmation, () => changeUnconfirmedEmail(handle, freshEmail())];
    for (const call of calls) expect((await call(handle)).status).toBe(404);
    expect(await findUser(email)).toMatchObject({ signInEmail: email });
    expect(await listEmailsTo(app, email)).toHaveLength(1);
  });

  test("responds to malformed handles as it does to an unknown one", async () => {
    for (const handle of ["00000000-0000-4000-8000-000000000000", "nonsense", "%00", "1' or '1'='1", "x".repeat(250)]) {
      const answers = [
        await checkConfirmation(handle),
        await resendConfirmation(handle),
        await changeUnconfirmedEmail(handle, "a@example.com"),
      ];
      for (const { status, text } of answers)
        if (status !== 400)
          expect([handle, status, text]).toEqual([handle, 404, '"Sorry, we could not find what you asked for."']);
    }
  });
});

describe("registering a taken address", () => {
  const listFirstNames = async (email: string) =>
    (await app.services.pool.query("select first_name from users where lower(email) = lower($1)", [email])).rows
      .map((row) => String(row.first_name))
      .toSorted((a, b) => a.localeCompare(b));

  test("tells the owner of an archived account that it isn't active", async () => {
    const { email } = await createUser(app, { archivedAt: app.clock.now() });
    await register(buildRegistration({ email }));
    const [newest] = await listEmailsTo(app, email);
    expect(newest?.text).toContain("Your account isn't active, so you can't sign in.");
    expect(newest?.text).not.toMatch(/sign in as usual|\/login|\/forgot-password/);
  });

  test("tells a person who registers twice how to confirm the address", async () => {
    const { email, secret } = await registerFresh();
    await register(buildRegistration({ email }));
    const [newest] = await listEmailsTo(app, email);
    expect(newest?.text).toContain("The address isn't confirmed yet.");
    expect(newest?.text).toContain("/forgot-password/");
    expect(newest?.text).not.toMatch(/sign in as usual|\/login/);
    expect((await confirm(secret)).status).toBe(200);
    await register(buildRegistration({ email }));
    expect((await listEmailsTo(app, email))[0]?.text).toContain("You can sign in as usual.");
  });

  test("keeps only the latest pending registration, however often it is repeated", async () => {
    const owner = await createUser(app, { firstName: "Owner" });
    for (let n = 1; n <= 3; n++)
      expect((await register(buildRegistration({ email: owner.email, firstName: `Try ${n}` }))).status).toBe(200);
    expect(await listFirstNames(owner.email)).toEqual(["Owner", "Try 3"]);
  });

  test("keeps the pending registration out of staff lists and searches", async () => {
    const owner = await createUser(app, { firstName: "Owner", lastName: "Unmistakable" });
    await register(buildRegistration({ email: owner.email, firstName: "Waiting", lastName: "Unmistakable" }));
    const admin = await signInAs(app, await createAdmin(app));
    const lists = await app.graphql(
      `{ users(filter: { search: "unmistakable" }) { total exact: total(isExact: true) rows { firstName } }
         search(text: "${owner.email}") { hits { label } } }`,
      {},
      admin,
    );
    expect(lists.data.users).toEqual({ total: 1, exact: 1, rows: [{ firstName: "Owner" }] });
    expect(lists.data.search.hits).toEqual([{ label: "Owner Unmistakable" }]);
    const today = { startDate: "2000-01-01", endDate: "2099-12-31" };
    const { json } = await app.rest("POST", "/v1/users/filter", { body: today, token: admin });
    const listed = (json as { email: string; firstName: string }[]).filter(({ email }) => email === owner.email);
    expect(listed.map(({ firstName }) => firstName)).toEqual(["Owner"]);
  });

  test("invalidates the handle of the previous registration, even if the address isn't taken", async () => {
    const free = freshEmail();
    for (const email of [(await createUser(app)).email, free]) {
      const first = (await register(buildRegistration({ email }))).json;
      const second = (await register(buildRegistration({ email }))).json;
      expect((await checkConfirmation(first)).status, email).toBe(404);
      expect((await checkConfirmation(second)).json, email).toBe(email);
    }
    // The first registration of an address that isn't taken can still be confirmed with its own link.
    const [mail] = (await listEmailsTo(app, free)).filter(({ text }) => text.includes("/confirm-email?t="));
    const secret = /\?t=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    expect((await confirm(secret)).status).toBe(200);
  });

  test("replaces the pending registration when another registration changes to the same address", async () => {
    const owner = await createUser(app, { firstName: "Owner" });
    await register(buildRegistration({ email: owner.email, firstName: "First" }));
    const { json: handle } = await register(buildRegistration({ firstName: "Moved" }));
    expect((await changeUnconfirmedEmail(handle, owner.email)).status).toBe(200);
    expect(await listFirstNames(owner.email)).toEqual(["Moved", "Owner"]);
  });
});
