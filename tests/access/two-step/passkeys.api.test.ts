import { expect, test } from "vitest";
import { Passkey } from "#api/access/two-step/two-step-methods.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { createAccountCalls, getErrorCode } from "#tests/factories/account.ts";
import {
  addAuthenticator,
  advanceToNextCode,
  createAppCode,
  loadTwoStep,
  sendFirstStep,
  createTwoStepUser,
  signInWithCode,
} from "#tests/factories/two-step.ts";
import { createAdmin, createUser, signInAs, testPassword, createSignedIn } from "#tests/factories/user.ts";
import { createSoftwarePasskey } from "#tests/support/software-passkey.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { whenDone } from "#tests/support/when-done.ts";

const app = await startTestApp();
const { listSubjects, loadMe } = createAccountCalls(app);
const site = "http://portal.test";

type Key = ReturnType<typeof createSoftwarePasskey>;
const sendPasskey = (token: string, input: object) =>
  app.graphql("addPasskey { codes state { passkeys { name } } }", { input }, token);
const passkeyError = { passkey: ["We couldn't add the passkey. Start again."] };

async function addPasskey(token: string, key: Key, name = "Office laptop", proof: object = {}) {
  const begun = await app.graphql("beginPasskey { options }", { proof: { password: testPassword, ...proof } }, token);
  const options = begun.data.beginPasskey.options as string;
  const input = { name, passkey: key.create(options) };
  return { options, input, answer: await sendPasskey(token, input) };
}

async function userWithPasskey() {
  const { user, token } = await createSignedIn(app);
  const key = createSoftwarePasskey(site);
  const { answer } = await addPasskey(token, key);
  return { user, token, key, recoveryCodes: answer.data.addPasskey.codes as string[] };
}

const getOptions = async (challenge: string) => app.graphql("beginPasskeySignIn { options }", { challenge });
const complete = async (challenge: string, passkey: string) =>
  (await app.graphql("completeSignIn { session { accessToken } problem message }", { input: { challenge, passkey } }))
    .data.completeSignIn;

async function requestPasskey(user: User) {
  const challenge = await sendFirstStep(app, user);
  return { challenge, options: (await getOptions(challenge)).data.beginPasskeySignIn.options as string };
}

test("adds a named passkey for this site, turns two-step sign-in on and emails the user", async () => {
  const { user, token } = await createSignedIn(app);
  const { options, answer } = await addPasskey(token, createSoftwarePasskey(site), "Desk key");
  expect(JSON.parse(options)).toMatchObject({ rp: { id: "portal.test" }, user: { name: user.email } });
  expect(answer.data.addPasskey.codes).toHaveLength(10);
  expect(answer.data.addPasskey.state.passkeys).toMatchObject([{ name: "Desk key" }]);
  const subjects = await listSubjects(user.email);
  expect(subjects).toContain("A passkey was added at Planvarro Software");
  expect(subjects).toContain("Two-step sign-in was turned on at Planvarro Software");
  expect((await loadTwoStep(app, token)).passkeys).toEqual([{ name: "Desk key", lastUsedAt: null }]);
});

test("rejects a passkey for another site and for a used, foreign or expired challenge", async () => {
  const { user, token } = await createSignedIn(app);
  const send = (passkey: string, session = token) => sendPasskey(session, { name: "x", passkey });
  const foreign = await addPasskey(token, createSoftwarePasskey("https://evil.example"));
  expect(foreign.answer.errors?.[0]?.extensions.fields).toEqual(passkeyError);
  // A challenge is used after one attempt, even a wrong one.
  const again = await send(createSoftwarePasskey(site).create(foreign.options));
  expect(again.errors?.[0]?.extensions.fields).toEqual(passkeyError);
  const options = (await app.graphql("beginPasskey { options }", { proof: { password: testPassword } }, token)).data
    .beginPasskey.options;
  const passkey = createSoftwarePasskey(site).create(options);
  expect((await send(passkey, await signInAs(app, user))).errors?.[0]?.extensions.fields).toEqual(passkeyError);
  app.clock.setOffset(app.clock.offsetMs + 6 * MINUTE);
  expect((await send(passkey)).errors?.[0]?.extensions.fields).toEqual(passkeyError);
  for (const malformed of ["{}", "null", "nonsense", '{"id":"x","rawId":"x","type":"public-key","response":{}}'])
    expect(getErrorCode(await send(malformed))).toBe("BAD_USER_INPUT");
});

test("opens a session with a passkey and allows one attempt per challenge", async () => {
  const { user, key } = await userWithPasskey();
  const { challenge, options } = await requestPasskey(user);
  expect(JSON.parse(options)).toMatchObject({ rpId: "portal.test" });
  const answer = key.answer(options);
  const { session } = await complete(challenge, answer);
  expect((await loadMe(session.accessToken)).data.me.id).toBe(user.id);
  expect(await complete(challenge, answer)).toMatchObject({ session: null, problem: "TWO_STEP_ENDED" });
  const next = await requestPasskey(user);
  expect(await complete(next.challenge, answer)).toMatchObject({ session: null, problem: "INVALID" });
  // The wrong attempt consumed the passkey's challenge. The sign-in itself continues.
  expect(await complete(next.challenge, key.answer(next.options))).toMatchObject({ problem: "INVALID" });
  const fresh = (await getOptions(next.challenge)).data.beginPasskeySignIn.options;
  expect((await complete(next.challenge, key.answer(fresh))).session).not.toBeNull();
});

test("rejects a passkey for another site, from another account or with a lower counter", async () => {
  const { user, key } = await userWithPasskey();
  const other = await userWithPasskey();
  const wrong = async (answer: (options: string) => string) => {
    const { challenge, options } = await requestPasskey(user);
    return complete(challenge, answer(options));
  };
  const invalid = { session: null, problem: "INVALID" };
  expect(await wrong((options) => key.answer(options, "https://evil.example"))).toMatchObject(invalid);
  expect(await wrong((options) => other.key.answer(options))).toMatchObject(invalid);
  expect(await wrong(() => "nonsense")).toMatchObject(invalid);
  key.setCounter(40);
  expect((await wrong((options) => key.answer(options))).session).not.toBeNull();
  key.setCounter(39);
  expect(await wrong((options) => key.answer(options))).toMatchObject(invalid);
  key.setCounter(41);
  expect((await wrong((options) => key.answer(options))).problem).toBeNull();
});

test("rejects accounts without passkeys and unknown challenges", async () => {
  const { user } = await createTwoStepUser(app);
  for (const challenge of [await sendFirstStep(app, user), "x", ""])
    expect(getErrorCode(await getOptions(challenge))).toBe("BAD_USER_INPUT");
});

test("requires a proof to remove a passkey, hides other users' passkeys, and turns two-step sign-in off with the last one", async () => {
  const { user, token, secret } = await createTwoStepUser(app);
  const key = createSoftwarePasskey(site);
  await addPasskey(token, key, "Desk key", { code: createAppCode(app, secret) });
  const stranger = await userWithPasskey();
  const em = app.services.orm.em.fork();
  const own = await em.findOneOrFail(Passkey, { user: user.id });
  const foreign = await em.findOneOrFail(Passkey, { user: stranger.user.id });
  const remove = (id: string, proof: object) => app.graphql("removePasskey { onSince }", { id, proof }, token);
  const byPasskey = async () => {
    const { data } = await app.graphql("beginPasskeyProof { options }", {}, token);
    return { password: testPassword, passkey: key.answer(data.beginPasskeyProof.options) };
  };
  for (const id of [foreign.id, "00000000-0000-4000-8000-000000000000", "x"])
    expect(getErrorCode(await remove(id, await byPasskey()))).toBe("NOT_FOUND");
  const used = await byPasskey();
  expect((await app.graphql("removeAuthenticatorApp { onSince }", { proof: used }, token)).errors).toBeUndefined();
  expect((await remove(own.id, used)).errors?.[0]?.extensions.fields).toHaveProperty("passkey");
  expect((await remove(own.id, await byPasskey())).errors).toBeUndefined();
  expect(await loadTwoStep(app, token)).toMatchObject({ onSince: null, recoveryCodesLeft: 0 });
  const subjects = await listSubjects(user.email);
  expect(subjects).toContain("A passkey was removed at Planvarro Software");
  expect(subjects).toContain("Two-step sign-in was turned off at Planvarro Software");
});

test("accepts a passkey's proof only in the session that requested it", async () => {
  const { user, token, key } = await userWithPasskey();
  const elsewhere = await signInAs(app, user);
  const { data } = await app.graphql("beginPasskeyProof { options }", {}, elsewhere);
  const proof = { password: testPassword, passkey: key.answer(data.beginPasskeyProof.options) };
  const turnOff = (as: string) => app.graphql("turnOffTwoStepSignIn { onSince }", { proof }, as);
  expect((await turnOff(token)).errors?.[0]?.extensions.fields).toHaveProperty("passkey");
  expect((await turnOff(elsewhere)).errors).toBeUndefined();
});

const beginAlone = async () =>
  (await app.graphql("beginSignInWithPasskey { options }")).data.beginSignInWithPasskey.options as string;
const signInAlone = async (passkey: string) =>
  (await app.graphql("signInWithPasskey { session { accessToken } problem message }", { input: { passkey } })).data
    .signInWithPasskey;
const refused = { session: null, problem: "INVALID", message: expect.stringContaining("with that passkey") };

test("signs in with a passkey alone, once for each challenge", async () => {
  const { user, key } = await userWithPasskey();
  const options = await beginAlone();
  expect(JSON.parse(options)).toMatchObject({ rpId: "portal.test", userVerification: "required" });
  expect(JSON.parse(options).allowCredentials ?? []).toEqual([]);
  const passkey = key.answer(options);
  const { session, problem } = await signInAlone(passkey);
  expect(problem).toBe(null);
  expect((await loadMe(session.accessToken)).data.me.id).toBe(user.id);
  expect(await signInAlone(passkey)).toEqual(refused);
  // Also from a device whose counter stays at 0, as those of synchronised passkeys do.
  key.setCounter(-1);
  await app.services.orm.em.fork().nativeUpdate(Passkey, { user: user.id }, { counter: 0 });
  const synchronised = key.answer(await beginAlone());
  expect(await signInAlone(synchronised)).toMatchObject({ problem: null });
  expect(await signInAlone(synchronised)).toEqual(refused);
});

test("opens one session for concurrent sign-ins with the same passkey response", async () => {
  const { user, key } = await userWithPasskey();
  key.setCounter(-1);
  await app.services.orm.em.fork().nativeUpdate(Passkey, { user: user.id }, { counter: 0 });
  const passkey = key.answer(await beginAlone());
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => signInAlone(passkey)));
  expect(outcomes.filter(({ session }) => session !== null)).toHaveLength(1);
});

test("refuses a passkey alone for another site or archived account, with a wrong challenge, or without a check of its owner", async () => {
  const { key } = await userWithPasskey();
  expect(await signInAlone(key.answer(await beginAlone(), "https://evil.example"))).toEqual(refused);
  expect(await signInAlone(key.answer(await beginAlone(), site, { isOwnerChecked: false }))).toEqual(refused);
  expect(await signInAlone(createSoftwarePasskey(site).answer(await beginAlone()))).toEqual(refused);
  const made = { challenge: Buffer.from("v2.x.y").toString("base64url"), rpId: "portal.test" };
  expect(await signInAlone(key.answer(JSON.stringify(made)))).toEqual(refused);
  // The challenge of a second step is for one account and needs its password first.
  const { user, key: other } = await userWithPasskey();
  expect(await signInAlone(other.answer((await requestPasskey(user)).options))).toEqual(refused);
  const late = key.answer(await beginAlone());
  app.clock.setOffset(app.clock.offsetMs + 6 * MINUTE);
  expect(await signInAlone(late)).toEqual(refused);
  for (const malformed of ["{}", "null", "nonsense", '{"id":"x","response":{"clientDataJSON":1}}'])
    expect(await signInAlone(malformed)).toEqual(refused);
  await app.services.pool.query("update users set archived_at = now() where id = $1", [user.id]);
  expect(await signInAlone(other.answer(await beginAlone()))).toEqual(refused);
});

test("admins sign in only with a passkey or a recovery code where the operator requires a passkey", async () => {
  const { config } = app.services;
  const admin = await createAdmin(app);
  const { token, secret, recoveryCodes } = await addAuthenticator(app, admin);
  const customer = await createUser(app);
  const other = await addAuthenticator(app, customer);
  const ask = async () =>
    (await app.graphql("{ users { total } twoStepSignIn { isPasskeyRequired } }", {}, token)).errors;
  Object.assign(config, { adminTwoStepRequired: true, adminPasskeyRequired: true });
  whenDone(() => void Object.assign(config, { adminTwoStepRequired: false, adminPasskeyRequired: false }));
  expect((await ask())?.[0]?.extensions).toMatchObject({ reason: "SET_UP_TWO_STEP" });
  // Without a passkey, the app still signs them in, so that they can add one.
  expect((await signInWithCode(app, admin, createAppCode(app, secret))).status).toBe(200);
  advanceToNextCode(app);
  const key = createSoftwarePasskey(site);
  expect((await addPasskey(token, key, "Key", { code: createAppCode(app, secret) })).answer.errors).toBe(undefined);
  expect(await ask()).toBe(undefined);
  advanceToNextCode(app);
  expect((await signInWithCode(app, admin, createAppCode(app, secret))).status).toBe(400);
  expect((await signInWithCode(app, admin, recoveryCodes[0] ?? "")).status).toBe(200);
  expect((await signInAlone(key.answer(await beginAlone()))).session).not.toBe(null);
  expect((await signInWithCode(app, customer, createAppCode(app, other.secret))).status).toBe(200);
});
