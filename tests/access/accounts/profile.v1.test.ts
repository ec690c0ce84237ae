import { describe, expect, test } from "vitest";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { trialEnding } from "#api/messaging/emails/templates/trial-ending.tsx";
import type { User } from "#api/people/users/user.entity.ts";
import { buildProfile, createAccountCalls, getErrorCode } from "#tests/factories/account.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { loadUser, updateProfile } = createAccountCalls(app);

const read = (id: string, token?: string) => app.rest("GET", `/v1/core/accounts/${id}/profile`, token ? { token } : {});
const toProfile = ({ email }: User, changes: Record<string, unknown> = {}) => buildProfile({ email, ...changes });

describe("reading a profile", () => {
  test("returns every published field, with an empty string for missing text", async () => {
    const user = await createUser(app, { isTester: true });
    const { status, json } = await read(user.id, await signInAs(app, user));
    const { isServiceProvider, ...profile } = toProfile(user);
    expect(status).toBe(200);
    const published = { id: user.id, postcode: "4000", isServiceProvider, isTester: true, memberType: 1 };
    expect(json).toEqual({ ...profile, ...published });
  });

  test("is allowed for its owner and for admins, in any notation of the id", async () => {
    const owner = await createCorporateUser(app);
    const token = await signInAs(app, owner);
    expect((await read(owner.id.toUpperCase(), token)).json.memberType).toBe(2);
    expect((await read(owner.id, await signInAs(app, await createAdmin(app)))).json.id).toBe(owner.id);
    expect((await read(owner.confirmationHandle, token)).status).toBe(404);
  });
});

describe("updating a profile", () => {
  test("saves every field, returns false if the address is unchanged, and sends no email", async () => {
    const { user, token } = await createSignedIn(app);
    const body = {
      firstName: "Grace",
      lastName: "O'Hopper-李",
      companyName: "Fleet",
      position: "Admiral",
      email: user.email,
      mobile: "(07) 3000 0000",
      fullAddress: "1/2 Wharf Road, Auckland 1010, New Zealand",
      unitNumber: "1",
      streetNumber: "2",
      streetName: "Wharf Road",
      city: "Auckland",
      state: "Auckland",
      postCode: "1010",
      country: "New Zealand",
      isTester: true,
      isServiceProvider: true,
    };
    expect(await updateProfile(token, body)).toMatchObject({ status: 200, json: false });
    expect((await read(user.id, token)).json).toEqual({ ...body, id: user.id, postcode: "1010", memberType: 1 });
    expect(await listEmailsTo(app, user.email)).toEqual([]);
  });

  test("ignores fields that users can't set", async () => {
    const user = await createUser(app);
    const other = await createUser(app);
    const forbidden = {
      id: other.id,
      userId: other.id,
      memberType: 3,
      annualDeactivationLimit: 999,
      hasCompletedTrial: true,
      emailConfirmedAt: null,
      archivedAt: "2020-01-01",
      passwordHash: "x",
      password: "Other-pass-1",
      signInEmail: other.email,
      pendingEmail: "thief@example.com",
      emailChangeHandle: other.id,
      confirmationHandle: other.id,
    };
    const load = async () => {
      const sql = "select to_jsonb(u) - '{first_name,search,revision}'::text[] as row from users u where id = any($1)";
      return (await app.services.pool.query(`${sql} order by id`, [[user.id, other.id]])).rows;
    };
    const token = await signInAs(app, user);
    const before = await load();
    const body = toProfile(user, { ...forbidden, firstName: "Mallory" });
    expect(await updateProfile(token, body)).toMatchObject({ status: 200, json: false });
    expect([(await loadUser(user)).firstName, (await loadUser(other)).firstName]).toEqual(["Mallory", "Ada"]);
    expect(await load()).toEqual(before);
  });

  test("clears optional text that is null or missing and leaves missing checkboxes unchanged", async () => {
    const user = await createUser(app, { companyName: "Fleet", unitNumber: "9", isTester: true });
    const { isTester: _, isServiceProvider: __, companyName: ___, ...body } = toProfile(user, { unitNumber: null });
    expect((await updateProfile(await signInAs(app, user), body)).status).toBe(200);
    expect(await loadUser(user)).toMatchObject({ companyName: "", unitNumber: "", isTester: true });
  });

  test("returns the profile over GraphQL and rejects unknown fields", async () => {
    const { user, token } = await createSignedIn(app);
    const fields = "confirmationHandle user { id firstName pendingEmail }";
    const update = (changes: object = {}) =>
      app.graphql(`updateProfile { ${fields} }`, { input: toProfile(user, { firstName: "Grace", ...changes }) }, token);
    expect((await update()).data.updateProfile).toEqual({
      confirmationHandle: null,
      user: { id: user.id, firstName: "Grace", pendingEmail: null },
    });
    expect(getErrorCode(await update({ memberType: 3 }))).toBe("BAD_USER_INPUT");
    const faulty = await update({ postCode: "400" });
    expect(faulty.errors?.[0]?.extensions.fields).toEqual({ postCode: ["Invalid Australian post code."] });
  });
});

describe("the time zone of a user's browser", () => {
  const update = (timeZone: string, token?: string) =>
    app.graphql("updateTimeZone { timeZone revision }", { input: { timeZone } }, token);

  test("is stored without changing the revision, and is the one of emails", async () => {
    const { user, token } = await createSignedIn(app);
    const { data } = await update("Europe/London", token);
    expect(data.updateTimeZone).toEqual({ timeZone: "Europe/London", revision: 1 });
    await app.services.orm.em.fork().transactional((em) =>
      sendEmail(app.services, em, {
        template: trialEnding,
        to: user.email.toUpperCase(),
        data: { firstName: "Ada", expiresAt: new Date("2026-12-05T04:25:00Z"), canSubscribe: true },
      }),
    );
    const [email] = (await listEmailsTo(app, user.email.toUpperCase())).filter(({ text }) => text.includes("trial"));
    expect(email?.text).toContain("5 Dec 2026, 4:25 am GMT");
  });

  test("must be an IANA name, and the caller's own", async () => {
    const token = await signInAs(app, await createUser(app));
    for (const timeZone of ["", "Mars/Olympus", "+10:00", "x".repeat(65)])
      expect(getErrorCode(await update(timeZone, token))).toBe("BAD_USER_INPUT");
    expect(getErrorCode(await update("Europe/London"))).toBe("UNAUTHENTICATED");
  });
});
