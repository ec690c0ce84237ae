import { describe, expect, test } from "vitest";
import { cleanEmail } from "#schema/clean-text.ts";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { buildProfile, createAccountCalls, freshEmail, newPassword } from "#tests/factories/account.ts";
import { createSignedIn, createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

// account-rules.unit.test.ts tests the rules. Here every form applies them over REST and GraphQL.
const app = await startTestApp();
const { confirm, requestResetToken, signIn, updateProfile } = createAccountCalls(app);

/** Submits a form. Returns 200, an error code, or 400 and the names of the rejected fields. */
type SubmitForm = (values: Record<string, unknown>, token?: string) => Promise<unknown>;

const toOutcome = (status: unknown, fields: object = {}) => {
  if (typeof status === "number") expect(status).toBeLessThan(500);
  return status === 400 ? [400, ...Object.keys(fields).toSorted()] : status;
};
const restForm =
  (method: string, path: string | ((values: Record<string, unknown>) => string)): SubmitForm =>
  async (values, token) => {
    const [url, body] = typeof path === "string" ? [path, values] : [path(values), undefined];
    const { status, json } = await app.rest(method, url, { body, ...(token && { token }) });
    return toOutcome(status, status === 400 ? json : {});
  };
const graphqlForm =
  (operation: string, result: string): SubmitForm =>
  async (values, token) => {
    const { errors } = await app.graphql(`${operation} { ${result} }`, { input: values }, token);
    const { code, fields } = errors?.[0]?.extensions ?? {};
    return toOutcome(code === "BAD_USER_INPUT" ? 400 : errors ? code : 200, fields);
  };

const accounts = "/v1/core/accounts";
/** Both APIs use the same field names. */
const formsByApi = {
  REST: {
    register: restForm("POST", accounts),
    profile: restForm("PUT", `${accounts}/update-profile`),
    forgot: restForm("PATCH", ({ email }) => `${accounts}/${encodeURIComponent(String(email))}/password/reset/request`),
    reset: restForm("POST", `${accounts}/password/reset`),
    contact: restForm("POST", "/v1/contact-us/send"),
  },
  GraphQL: {
    register: graphqlForm("register", "confirmationHandle"),
    profile: graphqlForm("updateProfile", "confirmationHandle"),
    forgot: graphqlForm("requestPasswordReset", "email"),
    reset: graphqlForm("resetPassword", "session { accessToken }"),
    contact: graphqlForm("sendContactMessage", "message"),
  },
};
const contact = { name: "Ada", phone: "0400 000 000", message: "Hello" };
const loadUser = (email: unknown) => app.context().em.findOneOrFail(User, { email: email as string });

test("an address in capitals, in another script or of 254 characters can be registered, signed in with and reset", async () => {
  const unique = Date.now().toString(36);
  for (const [email, forms] of [
    [`PERSON.${unique}@EXAMPLE.COM`, formsByApi.REST],
    [`zoë.${unique}@exämple.com`, formsByApi.GraphQL],
    [`${unique.padEnd(211, "x")}@${"d".repeat(30)}.example.com`, formsByApi.REST],
  ] as const) {
    const address = cleanEmail(email);
    expect(await forms.register(buildRegistration({ email }))).toBe(200);
    expect((await confirm(await findEmailedSecret(app, address))).status).toBe(200);
    for (const name of [address, email.toLowerCase(), email.toUpperCase()])
      expect((await signIn(name)).status, name).toBe(200);
    expect(await forms.forgot({ email: email.toUpperCase() })).toBe(200);
    const resetToken = await findEmailedSecret(app, address);
    expect(await forms.reset({ password: newPassword, confirmPassword: newPassword, resetToken })).toBe(200);
    expect((await signIn(email, newPassword)).status).toBe(200);
  }
});

describe.each(Object.entries(formsByApi))("over %s", (_api, forms) => {
  test("every form rejects an invalid address and a long password and sends no email", async () => {
    const { user, token } = await createSignedIn(app);
    for (const email of ["ada@example.com\r\nBcc: all@example.com", "ada\u0000@example.com", `${"x".repeat(251)}@a.co`])
      expect([
        await forms.register(buildRegistration({ email })),
        await forms.profile(buildProfile({ email }), token),
        await forms.contact({ ...contact, email }),
        await forms.forgot({ email }),
      ]).toEqual(Array(4).fill([400, "email"]));
    expect(await listEmailsTo(app, "all@example.com")).toEqual([]);
    const password = "a1".repeat(500);
    const values = { password, confirmPassword: password };
    expect(await forms.register(buildRegistration(values))).toEqual([400, "password"]);
    expect(await forms.reset({ ...values, resetToken: await requestResetToken(user) })).toEqual([400, "password"]);
    // When signing in, this length is still valid input, but the password is wrong.
    expect((await signIn(user.email, password)).json).toHaveProperty("invalid_grant");
    expect((await signIn(user.email, `${password}x`)).json).toHaveProperty("Password");
  });

  test("every form keeps a name unchanged and escapes its markup in emails", async () => {
    const name = "<b>Zoë</b> D'Arcy 李小龙 =1+1";
    const values = buildRegistration({ firstName: name, lastName: name });
    expect(await forms.register(values)).toBe(200);
    expect(await loadUser(values.email)).toMatchObject({ firstName: name, lastName: name });
    expect((await listEmailsTo(app, values.email))[0]?.html).not.toContain("<b>Zoë");
    const user = await createUser(app);
    const changes = { email: user.email, firstName: name, lastName: name, companyName: name, city: name };
    expect(await forms.profile(buildProfile(changes), await signInAs(app, user))).toBe(200);
    expect(await loadUser(user.email)).toMatchObject(changes);
    const email = freshEmail();
    expect(await forms.contact({ ...contact, name, email, message: name })).toBe(200);
    expect(await app.context().em.findOneOrFail(ContactMessage, { email })).toMatchObject({ name, message: name });
  });
});

/** Functions that request each kind of link and return its token. */
const kinds = {
  confirmation: async () => {
    const email = freshEmail();
    await formsByApi.REST.register(buildRegistration({ email }));
    return findEmailedSecret(app, email);
  },
  "change of address": async () => {
    const email = freshEmail();
    await updateProfile(await signInAs(app, await createUser(app)), buildProfile({ email }));
    return findEmailedSecret(app, email);
  },
  reset: async () => requestResetToken(await createUser(app)),
};

const reset = { password: newPassword, confirmPassword: newPassword };
const uses: [name: string, field: string, use: (secret: string) => Promise<unknown>][] = [
  [
    "confirm-email over REST",
    "confirmationToken",
    (secret) => restForm("POST", `${accounts}/confirm-email`)({ confirmationToken: secret }),
  ],
  [
    "confirmEmail over GraphQL",
    "confirmationToken",
    async (t) => {
      const { errors } = await app.graphql("confirmEmail { session { accessToken } }", { confirmationToken: t });
      return toOutcome(errors ? 400 : 200, errors?.[0]?.extensions.fields);
    },
  ],
  ["password/reset over REST", "resetToken", (resetToken) => formsByApi.REST.reset({ ...reset, resetToken })],
  ["resetPassword over GraphQL", "resetToken", (resetToken) => formsByApi.GraphQL.reset({ ...reset, resetToken })],
];

test.each(uses)("%s accepts each token of its kind once, and none that is altered", async (_name, field, use) => {
  const refused = [400, field];
  const { user, token: session } = await createSignedIn(app);
  for (const [kind, getSecret] of Object.entries(kinds)) {
    const secret = await getSecret();
    const { rows } = await app.services.pool.query("select to_jsonb(t)::text as row from email_tokens t");
    expect(JSON.stringify(rows)).not.toContain(secret);
    const altered = {
      truncated: secret.slice(0, -1),
      lengthened: `${secret}A`,
      "in another case": secret.toUpperCase(),
      "with a line break inside": `${secret.slice(0, 20)}\n${secret.slice(20)}`,
      "with a NUL": `${secret}\u0000`,
      "with a wildcard": `${secret.slice(0, -1)}%`,
      "10,000 characters long": secret.repeat(250),
      "an access token": session,
      "an id": user.id,
    };
    for (const [how, one] of Object.entries(altered)) expect(await use(one), how).toEqual(refused);
    // The failed attempts did not consume the token. It works once at an endpoint for this kind of link and never elsewhere.
    const fits = (kind === "reset") === (field === "resetToken");
    // REST answers 202 to a new address of an account, because it signs in nobody.
    expect(await use(secret), kind).toEqual(fits ? expect.toBeOneOf([200, 202]) : refused);
    expect(await use(secret), kind).toEqual(refused);
  }
});
