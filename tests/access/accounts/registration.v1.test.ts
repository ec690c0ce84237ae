import { describe, expect, test } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { measureGaps } from "#tests/support/timing.ts";

const app = await startTestApp();

const register = (body: unknown) => app.rest("POST", "/v1/core/accounts", { body });
const confirm = (confirmationToken: unknown) =>
  app.rest("POST", "/v1/core/accounts/confirm-email", { body: { confirmationToken } });
const check = (handle: string) => app.rest("PATCH", `/v1/core/accounts/check-confirmation/${handle}`);
const resend = (handle: string) => app.rest("POST", `/v1/core/accounts/resend-confirmation-email/${handle}`);
const changeEmail = (userId: string, email: string) =>
  app.rest("PUT", "/v1/core/accounts/change-email-address/", { body: { userId, email } });
const signIn = (UserName: string) =>
  app.rest("POST", "/v1/core/auth/token", {
    body: { UserName, Password: testPassword, ClientId: "portal", GrantType: "password" },
  });

describe("registering", () => {
  test("emails a link that confirms the address and signs in once", async () => {
    const values = buildRegistration();
    const { status, json: handle } = await register(values);
    expect(status).toBe(200);
    expect((await check(handle)).json).toBe(values.email);

    const [mail] = await listEmailsTo(app, values.email);
    expect(mail?.text).toContain("http://portal.test/confirm-email?t=");
    const secret = await findEmailedSecret(app, values.email);
    const confirmed = await confirm(secret);
    expect(confirmed.status).toBe(200);
    expect((await app.graphql("{ me { email emailConfirmed } }", {}, confirmed.json.access_token)).data.me).toEqual({
      email: values.email,
      emailConfirmed: true,
    });
    expect((await check(handle)).json).toBe("Confirmed");
    expect((await confirm(secret)).json).toEqual({
      confirmationToken: ["Sorry, that email confirmation token is invalid."],
    });
  });

  test("returns a handle that differs from the account's id", async () => {
    const values = buildRegistration();
    const handle = (await register(values)).json;
    const user = await app.context().em.findOneOrFail(User, { email: values.email });
    expect(handle).not.toBe(user.id);
  });

  test("ignores fields that visitors can't set", async () => {
    const values = buildRegistration({
      memberType: 3,
      annualDeactivationLimit: 999,
      hasCompletedTrial: true,
      emailConfirmedAt: "2020-01-01",
    });
    expect((await register(values)).status).toBe(200);
    const user = await app.context().em.findOneOrFail(User, { email: values.email as string });
    expect(user).toMatchObject({
      memberType: 1,
      annualDeactivationLimit: 3,
      hasCompletedTrial: false,
      emailConfirmedAt: null,
    });
  });

  test("returns the same result for a taken address, notifies its owner and allows a change to another address", async () => {
    const owner = await createUser(app);
    const free = buildRegistration();
    const taken = buildRegistration({ email: owner.email.toUpperCase(), firstName: "Late" });
    const [first, second] = [await register(free), await register(taken)];
    expect(second.status).toBe(first.status);
    expect(second.json).toHaveLength(first.json.length);
    expect((await check(second.json)).json).toBe(taken.email);
    expect((await resend(second.json)).status).toBe((await resend(first.json)).status);
    expect((await listEmailsTo(app, owner.email))[0]?.text).not.toContain("?t=");
    // The correct password reveals no more than it does for a new address.
    expect((await signIn(free.email)).json).toEqual({ not_confirmed: [first.json] });

    const own = buildRegistration().email;
    expect((await changeEmail(second.json, own)).status).toBe(200);
    expect((await confirm(await findEmailedSecret(app, own))).status).toBe(200);
    expect((await signIn(own)).status).toBe(200);
    expect((await signIn(owner.email)).status).toBe(200);
  });

  test("creates one confirmable account for twenty concurrent registrations of an address", async () => {
    const values = buildRegistration();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(values)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const users = await app.context().em.find(User, { email: values.email });
    expect(users.filter((user) => user.signInEmail !== null)).toHaveLength(1);
  });

  test.each([
    ["firstName", "", "First name is required."],
    ["firstName", "A", "First name must have at least 2 characters."],
    ["firstName", "A".repeat(31), "First name is too long."],
    ["lastName", undefined, "Last name is required."],
    ["lastName", "B", "First name must have at least 2 characters."],
    ["email", "", "Email is required."],
    ["email", "not an address", "Invalid email address"],
    ["email", `${"a".repeat(250)}@x.co`, "Invalid email address"],
    ["email", "a@b.co\r\nBcc: x@y.co", "Invalid email address"],
    ["mobile", "", "Mobile is required."],
    ["position", "  ", "Position is required."],
    ["password", "", "Password is required."],
    ["password", "short1", "Password must have at least 8 characters."],
    ["password", "no number here", "Must have a number."],
    [
      "password",
      "Passw0rd!23",
      "This password is one of the first that attackers try. Please choose one that is harder to guess.",
    ],
    [
      "password",
      "Byron1815",
      "Your name, your email address and our name are easy to guess and do not count. Please add at least 8 other characters.",
    ],
    ["confirmPassword", "Other-pass-1", "Passwords must match"],
    ["streetNumber", "", "Street number is required."],
    ["streetName", "", "Street name is required."],
    ["city", "", "City is required."],
    ["state", "", "State is required."],
    ["state", "XYZ", "State is required."],
    ["country", "", "Country is required."],
    ["postCode", "", "Post code is required."],
    ["postCode", "40000", "Invalid Australian post code."],
    ["companyName", "x".repeat(101), "Must be at most 100 characters."],
    ["companyName", "nul\u0000", "Contains characters that are not allowed."],
    ["companyName", { $ne: 1 }, "Must be text."],
    ["isTester", "yes", "Must be true or false."],
  ])("rejects %s = %j", async (field, value, message) => {
    const { status, json } = await register(buildRegistration({ [field]: value }));
    expect(status).toBe(400);
    expect(json[field]).toContain(message);
  });

  test("requires a five-digit post code in the United States and accepts any state and post code in Japan", async () => {
    const us = { country: "United States", state: "CA" };
    expect((await register(buildRegistration({ ...us, postCode: "9021" }))).json).toEqual({
      postCode: ["Invalid US post code."],
    });
    expect((await register(buildRegistration({ ...us, postCode: "90210" }))).status).toBe(200);
    expect(
      (await register(buildRegistration({ country: "Japan", state: "東京都", postCode: "100-0001" }))).status,
    ).toBe(200);
  });

  test.each(["O'Brien-Smith", "李小龙", "محمد", "Zoë 🙂"])("keeps the name %s unchanged", async (lastName) => {
    const values = buildRegistration({ lastName });
    await register(values);
    expect((await app.context().em.findOneOrFail(User, { email: values.email as string })).lastName).toBe(lastName);
  });
});

describe("confirmation page", () => {
  test("invalidates the older link when a new one is sent", async () => {
    const values = buildRegistration();
    const handle = (await register(values)).json;
    const older = await findEmailedSecret(app, values.email);
    await resend(handle);
    expect((await confirm(older)).status).toBe(400);
    expect((await confirm(await findEmailedSecret(app, values.email))).status).toBe(200);
  });

  test("accepts a link for 72 hours", async () => {
    const values = buildRegistration();
    await register(values);
    const secret = await findEmailedSecret(app, values.email);
    app.clock.setOffset(app.clock.offsetMs + 3 * DAY + 1_000);
    expect((await confirm(secret)).status).toBe(400);
  });

  test("rejects a link to a replaced address", async () => {
    const values = buildRegistration();
    const handle = (await register(values)).json;
    const older = await findEmailedSecret(app, values.email);
    const newer = buildRegistration().email;
    await changeEmail(handle, newer);
    expect((await confirm(older)).status).toBe(400);
    expect((await check(handle)).json).toBe(newer);
  });

  test("rejects a change of a confirmed address", async () => {
    const values = buildRegistration();
    const handle = (await register(values)).json;
    await confirm(await findEmailedSecret(app, values.email));
    const answer = await changeEmail(handle, "thief@example.com");
    expect(answer.status).toBe(403);
    expect((await check(handle)).json).toBe("Confirmed");
  });

  test.each(["00000000-0000-4000-8000-000000000000", "nonsense", "%00", "1' or '1'='1", "x".repeat(250)])(
    "responds to the handle %j as it does to an unknown one",
    async (handle) => {
      const answers = [await check(handle), await resend(handle), await changeEmail(handle, "a@example.com")];
      for (const answer of answers) {
        expect(answer.status === 404 || answer.status === 400).toBe(true);
        if (answer.status === 404)
          expect(answer.text).toBe(JSON.stringify("Sorry, we could not find what you asked for."));
      }
    },
  );

  test("reports an invalid address", async () => {
    const handle = (await register(buildRegistration())).json;
    expect((await changeEmail(handle, "nope")).json).toEqual({ email: ["Invalid email."] });
    expect((await changeEmail(handle, "")).json).toHaveProperty("email");
  });
});

describe("registering a taken address", () => {
  const waiting = async (email: string) =>
    (await app.services.pool.query("select id, first_name from users where lower(email) = lower($1)", [email])).rows;

  test("keeps only the latest pending registration, however often it is repeated", async () => {
    const owner = await createUser(app, { firstName: "Owner" });
    for (let n = 1; n <= 20; n++)
      expect((await register(buildRegistration({ email: owner.email, firstName: `Try ${n}` }))).status).toBe(200);
    expect(
      (await waiting(owner.email)).map((row) => String(row.first_name)).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(["Owner", "Try 20"]);
  });

  test("keeps the pending registration out of staff lists and searches", async () => {
    const owner = await createUser(app, { firstName: "Owner", lastName: "Unmistakable" });
    await register(buildRegistration({ email: owner.email, firstName: "Waiting", lastName: "Unmistakable" }));
    const admin = await signInAs(app, await createAdmin(app));
    const lists = await app.graphql(
      `{ users(filter: { search: "unmistakable" }) { total exactTotal rows { firstName } }
         search(text: "${owner.email}") { hits { label } } }`,
      {},
      admin,
    );
    expect(lists.data.users).toEqual({ total: 1, exactTotal: 1, rows: [{ firstName: "Owner" }] });
    expect(lists.data.search.hits).toEqual([{ label: "Owner Unmistakable" }]);
    const today = { startDate: "2000-01-01", endDate: "2099-12-31" };
    const { json } = await app.rest("POST", "/v1/users/filter", { body: today, token: admin });
    const listed = (json as { email: string; firstName: string }[]).filter(({ email }) => email === owner.email);
    expect(listed.map(({ firstName }) => firstName)).toEqual(["Owner"]);
  });

  test("invalidates the handle of the previous registration, even if the address isn't taken", async () => {
    const owner = await createUser(app);
    const free = buildRegistration().email;
    for (const email of [owner.email, free]) {
      const [first, second] = [
        await register(buildRegistration({ email })),
        await register(buildRegistration({ email })),
      ];
      expect((await check(first.json)).status, email).toBe(404);
      expect((await check(second.json)).json, email).toBe(email);
    }
    // The first registration of an address that isn't taken can still be confirmed with its own link.
    const [mail] = (await listEmailsTo(app, free)).filter(({ text }) => text.includes("/confirm-email?t="));
    const secret = /\?t=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    expect((await confirm(secret)).status).toBe(200);
  });

  test("replaces the pending registration when another registration changes to the same address", async () => {
    const owner = await createUser(app);
    await register(buildRegistration({ email: owner.email, firstName: "First" }));
    const { json: handle } = await register(buildRegistration({ firstName: "Moved" }));
    expect((await changeEmail(handle, owner.email)).status).toBe(200);
    expect((await waiting(owner.email)).map((row) => row.first_name)).not.toContain("First");
    expect(await waiting(owner.email)).toHaveLength(2);
  });
});

test("gives new and taken addresses the same response in the same time, within 10 ms over 200 pairs", async () => {
  const { email } = await createUser(app);
  const shapes = new Set<string>();
  const registerWith = (changes: Record<string, unknown>) => async () => {
    const { status, headers, text } = await register(buildRegistration(changes));
    const shown = [...headers.keys()].filter((name) => name !== "date").toSorted();
    shapes.add(JSON.stringify([status, shown, text.replace(/[0-9a-f]/g, "0")]));
  };
  const gaps = await measureGaps(10, 200, { free: registerWith({}), taken: registerWith({ email }) });
  expect([...shapes]).toHaveLength(1);
  expect(Math.abs(gaps.taken ?? Number.NaN)).toBeLessThan(10);
}, 180_000);
