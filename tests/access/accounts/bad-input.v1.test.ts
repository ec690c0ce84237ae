import { describe, expect, test } from "vitest";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

// Tests every form over REST and GraphQL, except for cases that the tests of one of these APIs already cover.
const app = await startTestApp();
const newPassword = "Gantt-charts-44";

interface Outcome {
  /** 200, or the status and the names of the rejected fields. */
  readonly outcome: unknown;
  /** The response data. */
  readonly data: unknown;
}
type SubmitForm = (values: Record<string, unknown>, token?: string) => Promise<Outcome>;

const restForm =
  (method: string, path: (values: Record<string, unknown>) => string, hasBody = true): SubmitForm =>
  async (values, token) => {
    const answer = await app.rest(method, path(values), { ...(hasBody && { body: values }), ...(token && { token }) });
    return toOutcome(answer.status, answer.status === 400 ? answer.json : undefined, answer.json);
  };
const graphqlForm =
  (operation: string, type: string, selection = ""): SubmitForm =>
  async (values, token) => {
    const document = `mutation ($input: ${type}!) { ${operation}(input: $input) ${selection} }`;
    const { status, data, errors } = await app.graphql(document, { input: values }, token);
    expect(status).toBeLessThan(500);
    const { code, fields } = errors?.[0]?.extensions ?? {};
    return toOutcome(code === "BAD_USER_INPUT" ? 400 : errors ? code : 200, fields, data?.[operation]);
  };

function toOutcome(status: unknown, fields: unknown, data: unknown): Outcome {
  if (typeof status === "number") expect(status).toBeLessThan(500);
  return { outcome: status === 400 ? [400, ...Object.keys(fields ?? {}).toSorted()] : status, data };
}

const accounts = "/v1/core/accounts";
/** Functions that submit each form to each API. Both APIs use the same field names. */
const formsByApi: Record<
  "REST" | "GraphQL",
  Record<"register" | "profile" | "forgot" | "reset" | "contact", SubmitForm>
> = {
  REST: {
    register: restForm("POST", () => accounts),
    profile: restForm("PUT", () => `${accounts}/update-profile`),
    forgot: restForm(
      "PATCH",
      ({ email }) => `${accounts}/${encodeURIComponent(String(email))}/password/reset/request`,
      false,
    ),
    reset: restForm("POST", () => `${accounts}/password/reset`),
    contact: restForm("POST", () => "/v1/contact-us/send"),
  },
  GraphQL: {
    register: graphqlForm("register", "RegisterInput", "{ confirmationHandle }"),
    profile: graphqlForm("updateProfile", "UpdateProfileInput", "{ confirmationHandle }"),
    forgot: graphqlForm("requestPasswordReset", "RequestPasswordResetInput"),
    reset: graphqlForm("resetPassword", "ResetPasswordInput", "{ session { accessToken } }"),
    contact: graphqlForm("sendContactMessage", "ContactMessageInput"),
  },
};
const apis = Object.entries(formsByApi);

const signIn = (UserName: string, Password = testPassword) =>
  app.rest("POST", "/v1/core/auth/token", { body: { UserName, Password, ClientId: "portal", GrantType: "password" } });
const createProfile = (changes: Record<string, unknown>) => {
  const { password: _, confirmPassword: __, ...profile } = buildRegistration(changes);
  return profile;
};
const loadUser = (email: unknown) => app.context().em.findOneOrFail(User, { email: email as string });

let serial = 0;
/** Returns an unused address by replacing `#` with a unique value. */
const createAddress = (email: string) => email.replace("#", `${Date.now().toString(36)}${serial++}`);

describe.each(apis)("over %s", (_api, forms) => {
  describe.each([
    ["in capitals", "PERSON.#@EXAMPLE.COM"],
    ["with dots", "per.s.on.#@example.com"],
    ["with a plus tag", "person+tag.#@example.com"],
    ["with every allowed character", "o'brien!##$%&*/=?^_`{|}~-@example.com"],
    ["in another script", "zoë.#@exämple.com"],
    ["in Chinese characters", "用户#@例子.公司"],
    ["in Punycode", "person#@xn--exmple-cua.com"],
    ["of 254 characters", `#${"x".repeat(200)}@${"d".repeat(30)}.example.com`],
  ])("an address %s", (_kind, shape) => {
    test("can be registered, confirmed, used to sign in with any letter case and sent a reset link", async () => {
      const short = createAddress(shape);
      const email = shape.includes("xxx") ? short.replace("x", "x".repeat(255 - short.length)) : short;
      expect((await forms.register(buildRegistration({ email }))).outcome).toBe(200);
      const confirmationToken = await findEmailedSecret(app, email);
      expect((await app.rest("POST", `${accounts}/confirm-email`, { body: { confirmationToken } })).status).toBe(200);
      for (const name of [email, email.toLowerCase(), email.toUpperCase()])
        expect((await signIn(name)).status, name).toBe(200);
      expect((await forms.forgot({ email: email.toUpperCase() })).outcome).toBe(200);
      const values = { password: newPassword, confirmPassword: newPassword };
      expect((await forms.reset({ ...values, resetToken: await findEmailedSecret(app, email) })).outcome).toBe(200);
      expect((await signIn(email, newPassword)).status).toBe(200);
    });
  });

  test.each([
    ["a line break", "ada@example.com\r\nBcc: all@example.com"],
    ["a line feed in the middle", "ada\n@example.com"],
    ["two addresses", "ada@example.com,all@example.com"],
    ["a name before it", "Ada <ada@example.com>"],
    ["255 characters", `${"x".repeat(243)}@example.com`],
    ["no dot after the at sign", "ada@localhost"],
    ["a NUL", "ada\u0000@example.com"],
    ["a right-to-left override", "ada\u202e@example.com"],
    ["half a surrogate pair", "ada\ud800@example.com"],
  ])("rejects an address with %s in every form and sends no email", async (_kind, email) => {
    const token = await signInAs(app, await createUser(app));
    const contact = { name: "Ada", phone: "0400 000 000", message: "Hello" };
    expect((await forms.register(buildRegistration({ email }))).outcome).toEqual([400, "email"]);
    expect((await forms.profile(createProfile({ email }), token)).outcome).toEqual([400, "email"]);
    expect((await forms.contact({ ...contact, email })).outcome).toEqual([400, "email"]);
    // In this REST call the address is part of the path, which can't contain half a surrogate pair.
    if (email.isWellFormed()) expect((await forms.forgot({ email })).outcome).toEqual([400, "email"]);
    expect(await listEmailsTo(app, "all@example.com")).toEqual([]);
  });

  test.each([
    ["apostrophes and dashes", "D'Arcy-O’Neil"],
    ["Chinese characters", "李小龙"],
    ["right-to-left script", "محمد بن"],
    ["composed emoji", "Zoë 👩‍👩‍👧 🇦🇺"],
    ["combining marks", "Zoe\u0308 N\u0303a"],
    ["markup", "<b>Ada</b>"],
    ["a formula", "=1+1 @SUM"],
    ["SQL", "Robert'); --"],
  ])("keeps a name with %s unchanged in the registration, profile and contact forms", async (_kind, name) => {
    const values = buildRegistration({ firstName: name, lastName: name });
    expect((await forms.register(values)).outcome).toBe(200);
    expect(await loadUser(values.email)).toMatchObject({ firstName: name, lastName: name });
    const user = await createUser(app);
    const changes = { email: user.email, firstName: name, lastName: name, companyName: name, city: name };
    expect((await forms.profile(createProfile(changes), await signInAs(app, user))).outcome).toBe(200);
    expect(await loadUser(user.email)).toMatchObject(changes);
    const email = buildRegistration().email;
    expect((await forms.contact({ name, email, phone: "0400 000 000", message: name })).outcome).toBe(200);
    expect(await app.context().em.findOneOrFail(ContactMessage, { email })).toMatchObject({ name, message: name });
    expect((await listEmailsTo(app, values.email))[0]?.html).not.toContain("<b>Ada");
  });

  test("rejects a password of 1,000 characters in every form without hashing it", async () => {
    const password = "a1".repeat(500);
    const values = { password, confirmPassword: password };
    expect((await forms.register(buildRegistration(values))).outcome).toEqual([400, "password"]);
    const user = await createUser(app);
    await forms.forgot({ email: user.email });
    const resetToken = await findEmailedSecret(app, user.email);
    expect((await forms.reset({ ...values, resetToken })).outcome).toEqual([400, "password"]);
    // When signing in, this length is still valid input, but the password is wrong.
    expect((await signIn(user.email, password)).json).toHaveProperty("invalid_grant");
    expect((await signIn(user.email, `${password}x`)).json).toHaveProperty("Password");
  });

  test("rejects a contact message of 501 words and sends one of 500", async () => {
    const words = (many: number) => Array.from({ length: many }, () => "word").join(" ");
    const values = { name: "Ada", email: buildRegistration().email, phone: "0400 000 000" };
    expect((await forms.contact({ ...values, message: words(501) })).outcome).toEqual([400, "message"]);
    expect((await forms.contact({ ...values, message: words(500) })).outcome).toBe(200);
  });

  test("saves a registration and a profile once if each is sent twice at the same time", async () => {
    const twice = (submit: () => Promise<Outcome>) => Promise.all([submit(), submit()]);
    const values = buildRegistration();
    for (const { outcome } of await twice(() => forms.register(values))) expect(outcome).toBe(200);
    const made = await app.context().em.find(User, { email: values.email });
    expect(made.filter(({ signInEmail }) => signInEmail !== null)).toHaveLength(1);
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const next = createProfile({});
    const saved = await twice(() => forms.profile(next, token));
    for (const { outcome, data } of saved) expect([outcome, data]).toEqual([200, saved[0]?.data]);
    // Two emails were sent, and only the newer link works.
    const tokens = (await listEmailsTo(app, next.email)).map(({ text }) => /\?t=([\w-]+)/.exec(text)?.[1] ?? "");
    const confirm = async (confirmationToken: string) =>
      (await app.rest("POST", `${accounts}/confirm-email`, { body: { confirmationToken } })).status;
    const confirmed: number[] = [];
    for (const one of tokens) confirmed.push(await confirm(one));
    expect(confirmed.toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

/** Functions that request each kind of link and return its token. */
const kinds = {
  confirmation: async () => {
    const { email } = buildRegistration();
    await app.rest("POST", accounts, { body: buildRegistration({ email }) });
    return findEmailedSecret(app, email);
  },
  "change of address": async () => {
    const user = await createUser(app);
    const { email } = buildRegistration();
    const body = createProfile({ email });
    await app.rest("PUT", `${accounts}/update-profile`, { body, token: await signInAs(app, user) });
    return findEmailedSecret(app, email);
  },
  reset: async () => {
    const { email } = await createUser(app);
    await app.rest("PATCH", `${accounts}/${email}/password/reset/request`);
    return findEmailedSecret(app, email);
  },
};

const password = { password: newPassword, confirmPassword: newPassword };
const uses: Record<string, { takes: string[]; use: (secret: string) => Promise<Outcome> }> = {
  "confirm-email over REST": {
    takes: ["confirmation", "change of address"],
    use: (confirmationToken) => restForm("POST", () => `${accounts}/confirm-email`)({ confirmationToken }),
  },
  "confirmEmail over GraphQL": {
    takes: ["confirmation", "change of address"],
    use: async (secret) => {
      const document = "mutation ($t: String!) { confirmEmail(confirmationToken: $t) { session { accessToken } } }";
      const { status, data, errors } = await app.graphql(document, { t: secret });
      expect(status).toBeLessThan(500);
      return toOutcome(errors ? 400 : 200, errors?.[0]?.extensions.fields, data);
    },
  },
  "password/reset over REST": {
    takes: ["reset"],
    use: (resetToken) => formsByApi.REST.reset({ ...password, resetToken }),
  },
  "resetPassword over GraphQL": {
    takes: ["reset"],
    use: (resetToken) => formsByApi.GraphQL.reset({ ...password, resetToken }),
  },
};
const pairs = Object.entries(uses).flatMap(([name, { takes, use }]) =>
  Object.entries(kinds).map(([kind, getSecret]) => [name, kind, getSecret, use, takes.includes(kind)] as const),
);

test.each(pairs)(
  "%s accepts the token of a %s link at most once and never if it is altered",
  async (name, _kind, getSecret, use, fits) => {
    const secret = await getSecret();
    const field = name.includes("onfirm") ? "confirmationToken" : "resetToken";
    const altered = {
      truncated: secret.slice(0, -1),
      lengthened: `${secret}A`,
      "in another case": secret.toUpperCase(),
      "with a line break inside": `${secret.slice(0, 20)}\n${secret.slice(20)}`,
      "with a NUL": `${secret}\u0000`,
      "with a wildcard": `${secret.slice(0, -1)}%`,
      "10,000 characters long": secret.repeat(250),
      "an access token": await signInAs(app, await createUser(app)),
      "an id": (await createUser(app)).id,
    };
    for (const [kind, one] of Object.entries(altered)) expect((await use(one)).outcome, kind).toEqual([400, field]);
    // The failed attempts did not consume the token. It works once at an endpoint for this kind of link and never elsewhere.
    expect((await use(secret)).outcome).toEqual(fits ? 200 : [400, field]);
    expect((await use(secret)).outcome).toEqual([400, field]);
  },
);

test.each(Object.entries(kinds))("doesn't store the token of a %s link in readable form", async (_kind, mail) => {
  const secret = await mail();
  const { rows } = await app.services.pool.query("select to_jsonb(t)::text as row from email_tokens t");
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test("reveals and changes nothing for another user's id or the handle of a confirmed registration", async () => {
  const owner = await createUser(app);
  const token = await signInAs(app, await createUser(app));
  const missing = "00000000-0000-4000-8000-000000000000";
  for (const path of [
    (id: string) => `${accounts}/${id}/profile`,
    (id: string) => `${accounts}/${id}/profile/settings`,
  ]) {
    const foreign = await app.rest("GET", path(owner.id), { token });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe((await app.rest("GET", path(missing), { token })).text);
  }
  // An account's id doesn't work as a handle, and the handle of a confirmed registration can't change the address.
  const change = (userId: string) =>
    app.rest("PUT", `${accounts}/change-email-address`, { body: { userId, email: "thief@example.com" } });
  expect((await change(owner.id)).text).toBe((await change(missing)).text);
  expect((await change(owner.confirmationHandle)).status).toBe(403);
  expect((await loadUser(owner.email)).signInEmail).toBe(owner.email);
});
