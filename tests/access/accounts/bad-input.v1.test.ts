import { describe, expect, test } from "vitest";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createUser, registration, signInAs, testPassword } from "#tests/factories/user.ts";
import { mailsTo, secretMailedTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

// What one door's own test file already shows of these is not repeated here; this is every form at both doors.
const app = await startTestApp();
const newPassword = "Gantt-charts-44";

interface Said {
  /** 200, or the status and the names of the fields that are refused. */
  readonly outcome: unknown;
  /** What was answered, by either door. */
  readonly data: unknown;
}
type Ask = (values: Record<string, unknown>, token?: string) => Promise<Said>;

const over =
  (method: string, path: (values: Record<string, unknown>) => string, hasBody = true): Ask =>
  async (values, token) => {
    const answer = await app.rest(method, path(values), { ...(hasBody && { body: values }), ...(token && { token }) });
    return said(answer.status, answer.status === 400 ? answer.json : undefined, answer.json);
  };
const graph =
  (operation: string, type: string, selection = ""): Ask =>
  async (values, token) => {
    const document = `mutation ($input: ${type}!) { ${operation}(input: $input) ${selection} }`;
    const { status, data, errors } = await app.graphql(document, { input: values }, token);
    expect(status).toBeLessThan(500);
    const { code, fields } = errors?.[0]?.extensions ?? {};
    return said(code === "BAD_USER_INPUT" ? 400 : errors ? code : 200, fields, data?.[operation]);
  };

function said(status: unknown, fields: unknown, data: unknown): Said {
  if (typeof status === "number") expect(status).toBeLessThan(500);
  return { outcome: status === 400 ? [400, ...Object.keys(fields ?? {}).toSorted()] : status, data };
}

const accounts = "/v1/core/accounts";
/** The forms of accounts at their two doors; values as both name them. */
const doors: Record<"REST" | "GraphQL", Record<"register" | "profile" | "forgot" | "reset" | "contact", Ask>> = {
  REST: {
    register: over("POST", () => accounts),
    profile: over("PUT", () => `${accounts}/update-profile`),
    forgot: over(
      "PATCH",
      ({ email }) => `${accounts}/${encodeURIComponent(String(email))}/password/reset/request`,
      false,
    ),
    reset: over("POST", () => `${accounts}/password/reset`),
    contact: over("POST", () => "/v1/contact-us/send"),
  },
  GraphQL: {
    register: graph("register", "RegisterInput", "{ confirmationHandle }"),
    profile: graph("updateProfile", "UpdateProfileInput", "{ confirmationHandle }"),
    forgot: graph("requestPasswordReset", "RequestPasswordResetInput"),
    reset: graph("resetPassword", "ResetPasswordInput", "{ session { accessToken } }"),
    contact: graph("sendContactMessage", "ContactMessageInput"),
  },
};
const bothDoors = Object.entries(doors);

const signIn = (UserName: string, Password = testPassword) =>
  app.rest("POST", "/v1/core/auth/token", { body: { UserName, Password, ClientId: "portal", GrantType: "password" } });
const profileOf = (changes: Record<string, unknown>) => {
  const { password: _, confirmPassword: __, ...profile } = registration(changes);
  return profile;
};
const userOf = (email: unknown) => app.context().em.findOneOrFail(User, { email: email as string });

let serial = 0;
/** The same kind of address, never used before. */
const fresh = (email: string) => email.replace("#", `${Date.now().toString(36)}${serial++}`);

describe.each(bothDoors)("over %s", (_door, door) => {
  describe.each([
    ["in capitals", "PERSON.#@EXAMPLE.COM"],
    ["with dots", "per.s.on.#@example.com"],
    ["with a plus tag", "person+tag.#@example.com"],
    ["with every sign that is allowed", "o'brien!##$%&*/=?^_`{|}~-@example.com"],
    ["of another script", "zoë.#@exämple.com"],
    ["of Chinese characters", "用户#@例子.公司"],
    ["in Punycode", "person#@xn--exmple-cua.com"],
    ["of 254 characters", `#${"x".repeat(200)}@${"d".repeat(30)}.example.com`],
  ])("an address %s", (_kind, shape) => {
    test("registers, is confirmed, signs in in any case, and gets reset links", async () => {
      const short = fresh(shape);
      const email = shape.includes("xxx") ? short.replace("x", "x".repeat(255 - short.length)) : short;
      expect((await door.register(registration({ email }))).outcome).toBe(200);
      const confirmationToken = await secretMailedTo(app, email);
      expect((await app.rest("POST", `${accounts}/confirm-email`, { body: { confirmationToken } })).status).toBe(200);
      for (const name of [email, email.toLowerCase(), email.toUpperCase()])
        expect((await signIn(name)).status, name).toBe(200);
      expect((await door.forgot({ email: email.toUpperCase() })).outcome).toBe(200);
      const values = { password: newPassword, confirmPassword: newPassword };
      expect((await door.reset({ ...values, resetToken: await secretMailedTo(app, email) })).outcome).toBe(200);
      expect((await signIn(email, newPassword)).status).toBe(200);
    });
  });

  test.each([
    ["a line break", "ada@example.com\r\nBcc: all@example.com"],
    ["a line feed in the middle", "ada\n@example.com"],
    ["two addresses", "ada@example.com,all@example.com"],
    ["a name before it", "Ada <ada@example.com>"],
    ["255 characters", `${"x".repeat(243)}@example.com`],
    ["no dot behind the at sign", "ada@localhost"],
    ["a NUL", "ada\u0000@example.com"],
    ["text that runs from right to left by a sign", "ada\u202e@example.com"],
    ["half a surrogate pair", "ada\ud800@example.com"],
  ])("an address with %s is refused by every form that takes one, and mails nobody", async (_kind, email) => {
    const token = await signInAs(app, await createUser(app));
    const contact = { name: "Ada", phone: "0400 000 000", message: "Hello" };
    expect((await door.register(registration({ email }))).outcome).toEqual([400, "email"]);
    expect((await door.profile(profileOf({ email }), token)).outcome).toEqual([400, "email"]);
    expect((await door.contact({ ...contact, email })).outcome).toEqual([400, "email"]);
    // Half a pair cannot stand in a path; everything else reaches the same rule.
    if (email.isWellFormed()) expect((await door.forgot({ email })).outcome).toEqual([400, "email"]);
    expect(await mailsTo(app, "all@example.com")).toEqual([]);
  });

  test.each([
    ["apostrophes and dashes", "D'Arcy-O’Neil"],
    ["Chinese characters", "李小龙"],
    ["right-to-left script", "محمد بن"],
    ["emoji of several parts", "Zoë 👩‍👩‍👧 🇦🇺"],
    ["letters with marks of their own", "Zoe\u0308 N\u0303a"],
    ["markup", "<b>Ada</b>"],
    ["a formula", "=1+1 @SUM"],
    ["SQL", "Robert'); --"],
  ])("a name with %s stays as it is, in registration, profile and contact form", async (_kind, name) => {
    const values = registration({ firstName: name, lastName: name });
    expect((await door.register(values)).outcome).toBe(200);
    expect(await userOf(values.email)).toMatchObject({ firstName: name, lastName: name });
    const user = await createUser(app);
    const changes = { email: user.email, firstName: name, lastName: name, companyName: name, city: name };
    expect((await door.profile(profileOf(changes), await signInAs(app, user))).outcome).toBe(200);
    expect(await userOf(user.email)).toMatchObject(changes);
    const email = registration().email;
    expect((await door.contact({ name, email, phone: "0400 000 000", message: name })).outcome).toBe(200);
    expect(await app.context().em.findOneOrFail(ContactMessage, { email })).toMatchObject({ name, message: name });
    expect((await mailsTo(app, values.email))[0]?.html).not.toContain("<b>Ada");
  });

  test("a password of 1,000 characters is refused by every form that sets one, and hashed by none", async () => {
    const password = "a1".repeat(500);
    const values = { password, confirmPassword: password };
    expect((await door.register(registration(values))).outcome).toEqual([400, "password"]);
    const user = await createUser(app);
    await door.forgot({ email: user.email });
    const resetToken = await secretMailedTo(app, user.email);
    expect((await door.reset({ ...values, resetToken })).outcome).toEqual([400, "password"]);
    // As the existing one it may be asked with, and is simply wrong.
    expect((await signIn(user.email, password)).json).toHaveProperty("invalid_grant");
    expect((await signIn(user.email, `${password}x`)).json).toHaveProperty("Password");
  });

  test("501 words are refused and 500 sent", async () => {
    const words = (many: number) => Array.from({ length: many }, () => "word").join(" ");
    const values = { name: "Ada", email: registration().email, phone: "0400 000 000" };
    expect((await door.contact({ ...values, message: words(501) })).outcome).toEqual([400, "message"]);
    expect((await door.contact({ ...values, message: words(500) })).outcome).toBe(200);
  });

  test("a registration, a profile and a message sent twice at once are each answered twice, and harm nothing", async () => {
    const twice = (asked: () => Promise<Said>) => Promise.all([asked(), asked()]);
    const values = registration();
    for (const { outcome } of await twice(() => door.register(values))) expect(outcome).toBe(200);
    const made = await app.context().em.find(User, { email: values.email });
    expect(made.filter(({ signInEmail }) => signInEmail !== null)).toHaveLength(1);
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const next = profileOf({});
    const saved = await twice(() => door.profile(next, token));
    for (const { outcome, data } of saved) expect([outcome, data]).toEqual([200, saved[0]?.data]);
    // Two mails, and the link of one works: the newer.
    const tokens = (await mailsTo(app, next.email)).map(({ text }) => /\?t=([\w-]+)/.exec(text)?.[1] ?? "");
    const confirm = async (confirmationToken: string) =>
      (await app.rest("POST", `${accounts}/confirm-email`, { body: { confirmationToken } })).status;
    const confirmed: number[] = [];
    for (const one of tokens) confirmed.push(await confirm(one));
    expect(confirmed.toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

/** The three kinds of links: how to get a secret of it, and how to use one at both doors. */
const kinds = {
  confirmation: async () => {
    const { email } = registration();
    await app.rest("POST", accounts, { body: registration({ email }) });
    return secretMailedTo(app, email);
  },
  "change of address": async () => {
    const user = await createUser(app);
    const { email } = registration();
    const body = profileOf({ email });
    await app.rest("PUT", `${accounts}/update-profile`, { body, token: await signInAs(app, user) });
    return secretMailedTo(app, email);
  },
  reset: async () => {
    const { email } = await createUser(app);
    await app.rest("PATCH", `${accounts}/${email}/password/reset/request`);
    return secretMailedTo(app, email);
  },
};

const password = { password: newPassword, confirmPassword: newPassword };
const uses: Record<string, { takes: string[]; use: (secret: string) => Promise<Said> }> = {
  "confirm-email over REST": {
    takes: ["confirmation", "change of address"],
    use: (confirmationToken) => over("POST", () => `${accounts}/confirm-email`)({ confirmationToken }),
  },
  "confirmEmail over GraphQL": {
    takes: ["confirmation", "change of address"],
    use: async (secret) => {
      const document = "mutation ($t: String!) { confirmEmail(confirmationToken: $t) { session { accessToken } } }";
      const { status, data, errors } = await app.graphql(document, { t: secret });
      expect(status).toBeLessThan(500);
      return said(errors ? 400 : 200, errors?.[0]?.extensions.fields, data);
    },
  },
  "password/reset over REST": { takes: ["reset"], use: (resetToken) => doors.REST.reset({ ...password, resetToken }) },
  "resetPassword over GraphQL": {
    takes: ["reset"],
    use: (resetToken) => doors.GraphQL.reset({ ...password, resetToken }),
  },
};
const pairs = Object.entries(uses).flatMap(([door, { takes, use }]) =>
  Object.entries(kinds).map(([kind, mail]) => [door, kind, mail, use, takes.includes(kind)] as const),
);

test.each(pairs)("%s, with the secret of a %s link", async (door, _kind, mail, use, fits) => {
  const secret = await mail();
  const field = door.includes("onfirm") ? "confirmationToken" : "resetToken";
  const altered = {
    truncated: secret.slice(0, -1),
    lengthened: `${secret}A`,
    "in another case": secret.toUpperCase(),
    "with a line break inside": `${secret.slice(0, 20)}\n${secret.slice(20)}`,
    "with a NUL": `${secret}\u0000`,
    "with a wildcard": `${secret.slice(0, -1)}%`,
    "of 10,000 characters": secret.repeat(250),
    "an access token": await signInAs(app, await createUser(app)),
    "an id": (await createUser(app)).id,
  };
  for (const [kind, one] of Object.entries(altered)) expect((await use(one)).outcome, kind).toEqual([400, field]);
  // None of that used it up; at its own door it works, once, and at another never.
  expect((await use(secret)).outcome).toEqual(fits ? 200 : [400, field]);
  expect((await use(secret)).outcome).toEqual([400, field]);
});

test.each(Object.entries(kinds))(
  "the secret of a %s link stands in no other place than the mail",
  async (_kind, mail) => {
    const secret = await mail();
    const { rows } = await app.services.pool.query("select to_jsonb(t)::text as row from email_tokens t");
    expect(JSON.stringify(rows)).not.toContain(secret);
  },
);

test("ids of others lead nowhere: profile, settings and the handle of a registration that is confirmed", async () => {
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
  // The account's id is no handle, and the handle gives a stranger nothing once the address is confirmed.
  const change = (userId: string) =>
    app.rest("PUT", `${accounts}/change-email-address`, { body: { userId, email: "thief@example.com" } });
  expect((await change(owner.id)).text).toBe((await change(missing)).text);
  expect((await change(owner.confirmationHandle)).status).toBe(403);
  expect((await userOf(owner.email)).signInEmail).toBe(owner.email);
});
