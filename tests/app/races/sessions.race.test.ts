import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { createAppCode, createTwoStepUser, sendFirstStep, sendSecondStep } from "#tests/factories/two-step.ts";
import { createUser, testPassword, signInWithOldProof, createAdmin, signInAs } from "#tests/factories/user.ts";
import { atOnce, ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const accounts = createAccountCalls(app);
const EIGHT = Array.from({ length: 8 }, (_, index) => index);

test("returns the same new token for 10 concurrent refreshes of one token", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const user = await createUser(app);
    const signedIn = await accounts.signIn(user.email);
    const answers = await atOnce(10, () => accounts.refresh(signedIn.json.refresh_token));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => answer.json.refresh_token)).size).toBe(1);
    const { rows } = await app.services.pool.query(
      `select count(*) filter (where t.rotated_at is null)::int as live, count(*)::int as all
       from refresh_tokens t join sessions s on s.id = t.session_id where s.user_id = $1`,
      [user.id],
    );
    expect(rows[0]).toEqual({ live: 1, all: 2 });
  }
});

test("keeps two tabs signed in over many refreshes across two processes, then revokes the family for a reused token", async () => {
  const user = await createUser(app);
  const { json } = await accounts.signIn(user.email);
  const me = async (token: string) =>
    (await app.graphql("{ me { id } }", {}, token)).data?.me?.id as string | undefined;
  const refresh = (RefreshToken: string) =>
    call("POST", "/v1/core/auth/token", { RefreshToken, ClientId: "portal", GrantType: "refresh_token" });

  // The token storage both tabs share, without the lock browsers provide. This is the harder case.
  let stored = json as { access_token: string; refresh_token: string };
  const earliest = stored.refresh_token;
  const refusals: unknown[] = [];
  const used = new Set<string>();
  const tab = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const sent = stored.refresh_token;
      used.add(sent);
      const answer = await refresh(sent);
      if (answer.status !== 200) refusals.push(answer.json);
      else if (stored.refresh_token === sent) stored = answer.json;
    }
  };
  await Promise.all([tab(40), tab(40)]);
  expect(refusals).toEqual([]);
  // The tabs did race: there are fewer tokens than refreshes, but more than if one tab had waited for the other.
  expect(used.size).toBeLessThan(80);
  expect(used.size).toBeGreaterThan(32);
  expect(await me(stored.access_token)).toBe(user.id);

  // The grace period counts real seconds, so the test backdates the rotations instead of waiting.
  await app.services.pool.query(
    `update refresh_tokens t set rotated_at = rotated_at - interval '11 seconds'
     from sessions s where s.id = t.session_id and s.user_id = $1 and t.rotated_at is not null`,
    [user.id],
  );
  expect((await refresh(earliest)).json).toHaveProperty("invalid_refreshtoken");
  expect((await refresh(stored.refresh_token)).json).toHaveProperty("invalid_refreshtoken");
  expect(await me(stored.access_token)).toBeUndefined();
});

const mutation =
  "mutation ($input: PersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { token { id } } }";

test("honours in every process a proof that one process recorded", async () => {
  const token = await signInWithOldProof(app, await createUser(app));
  const create = async (name: string) => {
    const body = { query: mutation, variables: { input: { name, scopes: ["PROFILE_READ"], expiresInDays: 30 } } };
    return (await call("POST", "/graphql", body, token)).json.errors?.[0]?.extensions.code;
  };
  expect([await create("One"), await create("Two")]).toEqual(["STEP_UP_REQUIRED", "STEP_UP_REQUIRED"]);
  expect((await call("POST", "/v1/core/auth/prove", { password: testPassword }, token)).status).toBe(200);
  expect([await create("One"), await create("Two")]).toEqual([undefined, undefined]);
});

test("opens one session for a code used in eight concurrent sign-ins, and sends one email for a recovery code", async () => {
  const { user, secret, recoveryCodes } = await createTwoStepUser(app);
  for (const code of [createAppCode(app, secret), recoveryCodes[0] ?? ""]) {
    const challenges: string[] = [];
    for (const _ of EIGHT) challenges.push(await sendFirstStep(app, user));
    const answers = await Promise.all(challenges.map((challenge) => sendSecondStep(app, challenge, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
  const subjects = await accounts.listSubjects(user.email);
  expect(subjects.filter((subject) => subject.startsWith("A recovery code"))).toHaveLength(1);
});

test("opens one session and consumes one code if five recovery codes are sent for a challenge concurrently", async () => {
  const { user, recoveryCodes, token } = await createTwoStepUser(app);
  const challenge = await sendFirstStep(app, user);
  const answers = await Promise.all(recoveryCodes.slice(0, 5).map((code) => sendSecondStep(app, challenge, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const { data } = await app.graphql("{ twoStepSignIn { recoveryCodesLeft } }", {}, token);
  expect(data.twoStepSignIn.recoveryCodesLeft).toBe(9);
});

test("checks at most five of 20 concurrent guesses for a challenge", async () => {
  const { user, secret } = await createTwoStepUser(app);
  const challenge = await sendFirstStep(app, user);
  const guesses = Array.from({ length: 20 }, () => sendSecondStep(app, challenge, "nothing"));
  expect((await Promise.all(guesses)).filter(({ json }) => json.two_step_required !== undefined)).toHaveLength(5);
  expect((await sendSecondStep(app, challenge, createAppCode(app, secret))).status).toBe(400);
});

test("accepts a code as proof for only one of eight concurrent changes", async () => {
  const { secret, token } = await createTwoStepUser(app);
  const proof = { password: testPassword, code: createAppCode(app, secret) };
  const renew = "mutation ($proof: IdentityProofInput!) { renewRecoveryCodes(proof: $proof) { codes } }";
  const answers = await Promise.all(EIGHT.map(() => app.graphql(renew, { proof }, token)));
  expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
});

const openView = (userId: string, token: string) =>
  app.graphql(`mutation { viewAsCustomer(userId: "${userId}") { accessToken } }`, {}, token);
const isSignedIn = async (token: string) => (await app.graphql("{ me { id } }", {}, token)).errors === undefined;
const countEnds = (userId: string) => app.services.orm.em.fork().count(AuditEntry, { userId, action: "end-view" });

test("ends all views of an admin who signs out, including one opened concurrently", async () => {
  const admin = await createAdmin(app);
  for (let round = 0; round < ROUNDS.of2; round++) {
    const customer = await createUser(app);
    const token = await signInAs(app, admin);
    const early = (await openView(customer.id, token)).data.viewAsCustomer.accessToken as string;
    const signOut = () => app.graphql("mutation { signOut { id } }", {}, token);
    const [late] = await Promise.all([openView(customer.id, token), signOut()]);
    const begun = late.data?.viewAsCustomer?.accessToken as string | undefined;
    expect(await isSignedIn(early)).toBe(false);
    if (begun) expect(await isSignedIn(begun)).toBe(false);
  }
});

test("records the end of a view once when it is stopped eight times as it expires", async () => {
  const customer = await createUser(app);
  const begun = (await openView(customer.id, await signInAs(app, await createAdmin(app)))).data;
  const view = begun.viewAsCustomer.accessToken as string;
  try {
    app.clock.setOffset(15 * MINUTE - 1_000);
    const stops = EIGHT.map(() => app.graphql("mutation { signOut { id } }", {}, view));
    app.clock.setOffset(15 * MINUTE);
    await Promise.all([...stops, app.services.jobs.runSweeps(), app.services.jobs.runSweeps()]);
  } finally {
    app.clock.setOffset(0);
  }
  expect(await countEnds(customer.id)).toBe(1);
  expect(await isSignedIn(view)).toBe(false);
});

test("records no name for a view opened while the customer's account is being deleted", async () => {
  const customer = await createUser(app, { firstName: "Grace", lastName: "Hopperton" });
  const token = await signInAs(app, await createAdmin(app));
  const deletion = await app.services.pool.connect();
  try {
    await deletion.query("begin");
    await deletion.query("select from users where id = $1 for update", [customer.id]);
    const opening = openView(customer.id, token);
    await waitForLock(app);
    await deletion.query(
      "update users set first_name = 'Deleted', last_name = 'User', archived_at = now(), deleted_at = now() where id = $1",
      [customer.id],
    );
    await deletion.query("commit");
    expect((await opening).errors?.[0]?.extensions.code).toBe("CONFLICT");
  } finally {
    deletion.release();
  }
  expect(await app.services.orm.em.fork().count(AuditEntry, { userId: customer.id })).toBe(0);
});
