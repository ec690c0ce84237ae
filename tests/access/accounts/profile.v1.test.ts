import { describe, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createCorporateUser, createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const read = (id: string, token?: string) => app.rest("GET", `/v1/core/accounts/${id}/profile`, token ? { token } : {});
const update = (token: string, body: unknown) => app.rest("PUT", "/v1/core/accounts/update-profile", { body, token });
const loadUser = (user: User) => app.services.orm.em.fork().findOneOrFail(User, user.id);

/** Builds the body that the profile form submits, with `changes` applied. */
function toProfile(user: User, changes: Record<string, unknown> = {}) {
  const { password: _, confirmPassword: __, ...profile } = buildRegistration({ email: user.email });
  return { ...profile, ...changes };
}

describe("reading a profile", () => {
  test("returns every published field, with an empty string for missing text", async () => {
    const user = await createUser(app, { isTester: true });
    const { status, json } = await read(user.id, await signInAs(app, user));
    expect(status).toBe(200);
    expect(json).toEqual({
      id: user.id,
      firstName: "Ada",
      lastName: "Byron",
      email: user.email,
      mobile: "+61 400 000 000",
      companyName: "Analytical Planning",
      position: "Planner",
      fullAddress: "",
      unitNumber: "",
      streetNumber: "12",
      streetName: "Eagle Street",
      city: "Brisbane",
      state: "QLD",
      country: "Australia",
      postcode: "4000",
      postCode: "4000",
      isServiceProvider: false,
      isTester: true,
      memberType: 1,
    });
  });

  test("is allowed for its owner and for admins, and returns 404 for everyone else", async () => {
    const owner = await createCorporateUser(app);
    const other = await createUser(app);
    expect((await read(owner.id)).status).toBe(401);
    expect((await read(owner.id, await signInAs(app, owner))).json.memberType).toBe(2);
    expect((await read(owner.id.toUpperCase(), await signInAs(app, owner))).status).toBe(200);
    expect((await read(owner.id, await signInAs(app, await createAdmin(app)))).json.id).toBe(owner.id);

    const token = await signInAs(app, other);
    const foreign = await read(owner.id, token);
    expect(foreign.status).toBe(404);
    for (const id of ["00000000-0000-4000-8000-000000000000", "nonsense", owner.confirmationHandle])
      expect(await read(id, token)).toMatchObject({ status: 404, text: foreign.text });
  });
});

describe("updating a profile", () => {
  test("saves every field, returns false if the address is unchanged, and sends no email", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
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
    expect(await update(token, body)).toMatchObject({ status: 200, json: false });
    expect((await read(user.id, token)).json).toEqual({ ...body, id: user.id, postcode: "1010", memberType: 1 });
    expect(await listEmailsTo(app, user.email)).toEqual([]);
  });

  test("ignores fields that users can't set", async () => {
    const user = await createUser(app);
    const other = await createUser(app);
    const answer = await update(
      await signInAs(app, user),
      toProfile(user, {
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
        firstName: "Mallory",
      }),
    );
    expect(answer).toMatchObject({ status: 200, json: false });
    expect(await loadUser(user)).toMatchObject({
      firstName: "Mallory",
      memberType: 1,
      annualDeactivationLimit: 3,
      hasCompletedTrial: false,
      archivedAt: null,
      signInEmail: user.signInEmail,
      pendingEmail: null,
      emailChangeHandle: null,
      confirmationHandle: user.confirmationHandle,
    });
    expect((await loadUser(user)).emailConfirmedAt).not.toBeNull();
    expect((await loadUser(other)).firstName).toBe("Ada");
  });

  test("clears optional text that is null or missing and leaves missing checkboxes unchanged", async () => {
    const user = await createUser(app, { companyName: "Fleet", unitNumber: "9", isTester: true });
    const { isTester: _, isServiceProvider: __, companyName: ___, ...body } = toProfile(user, { unitNumber: null });
    expect((await update(await signInAs(app, user), body)).status).toBe(200);
    expect(await loadUser(user)).toMatchObject({ companyName: "", unitNumber: "", isTester: true });
  });

  test("returns the profile over GraphQL and rejects unknown fields", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const mutation = `mutation ($input: UpdateProfileInput!) {
      updateProfile(input: $input) { confirmationHandle user { id firstName pendingEmail } }
    }`;
    const input = toProfile(user, { firstName: "Grace" });
    expect((await app.graphql(mutation, { input }, token)).data.updateProfile).toEqual({
      confirmationHandle: null,
      user: { id: user.id, firstName: "Grace", pendingEmail: null },
    });
    expect(
      (await app.graphql(mutation, { input: { ...input, memberType: 3 } }, token)).errors?.[0]?.extensions.code,
    ).toBe("BAD_USER_INPUT");
    const faulty = await app.graphql(mutation, { input: { ...input, postCode: "400" } }, token);
    expect(faulty.errors?.[0]?.extensions.fields).toEqual({ postCode: ["Invalid Australian post code."] });
    expect((await app.graphql(mutation, { input })).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  });

  test("authenticates before it checks the body", async () => {
    expect((await app.rest("PUT", "/v1/core/accounts/update-profile", { body: {} })).status).toBe(401);
  });

  const refusals: [field: string, value: unknown, sentence: string][] = [
    ["firstName", "", "First name is required."],
    ["firstName", "A", "First name must have at least 2 characters."],
    ["firstName", "A".repeat(31), "First name is too long."],
    ["lastName", undefined, "Last name is required."],
    ["lastName", "B", "First name must have at least 2 characters."],
    ["email", "", "Email is required."],
    ["email", "not an address", "Invalid email address"],
    ["email", `${"a".repeat(250)}@x.co`, "Invalid email address"],
    // An address of 254 characters that becomes longer in lower case.
    ["email", `${"İ".repeat(200)}@${"x".repeat(50)}.co`, "Invalid email address"],
    ["email", "a@b.co\r\nBcc: x@y.co", "Invalid email address"],
    ["email", "a@b.co,x@y.co", "Invalid email address"],
    ["mobile", "", "Mobile is required."],
    ["mobile", "call me", "Invalid phone number."],
    ["position", "  ", "Position is required."],
    ["streetNumber", "", "Street number is required."],
    ["streetName", "", "Street name is required."],
    ["city", "", "City is required."],
    ["state", "XYZ", "State is required."],
    ["country", "", "Country is required."],
    ["postCode", "", "Post code is required."],
    ["postCode", "40000", "Invalid Australian post code."],
    ["companyName", "nul\u0000", "Contains characters that are not allowed."],
    ["isTester", "yes", "Must be true or false."],
  ];
  test("rejects the same values as registration, with the same messages", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    for (const [field, value, sentence] of refusals) {
      const { status, json } = await update(token, toProfile(user, { position: "Changed", [field]: value }));
      expect([field, value, status, json[field]?.includes(sentence)]).toEqual([field, value, 400, true]);
    }
    expect(
      (await update(token, toProfile(user, { country: "United States", state: "CA", postCode: "902" }))).json,
    ).toEqual({
      postCode: ["Invalid US post code."],
    });
    expect(await loadUser(user)).toMatchObject({ position: "Planner", pendingEmail: null });
  });
});
