import { beforeAll, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { createUser, buildRegistration, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { measureGaps } from "#tests/support/timing.ts";

const app = await startTestApp();

const rest = (UserName: string, Password: string) =>
  app.rest("POST", "/v1/core/auth/token", { body: { UserName, Password, ClientId: "portal", GrantType: "password" } });
const register = async (changes: Record<string, unknown>) =>
  (await app.rest("POST", "/v1/core/accounts", { body: buildRegistration(changes) })).json as string;

const unknown = "nobody@example.com";
let known: User;
let unconfirmed: User;
let archived: User;
/** Confirmed account with an address that was registered a second time. */
let wanted: User;

beforeAll(async () => {
  known = await createUser(app);
  unconfirmed = await createUser(app, { emailConfirmedAt: null });
  archived = await createUser(app, { archivedAt: app.clock.now() });
  wanted = await createUser(app);
  await register({ email: wanted.email });
});

const kinds = () => Object.entries({ known, unconfirmed, archived, wanted });

test("returns identical responses to a wrong password for every kind of address", async () => {
  const mutation =
    "mutation ($input: SignInInput!) { signIn(input: $input) { problem message confirmationHandle session { expiresIn } } }";
  const both = async (email: string) => {
    const { status, headers, text } = await rest(email, "Wrong-pass-1");
    const shown = [...headers.keys()].filter((name) => name !== "date").toSorted();
    return [status, shown, text, await app.graphql(mutation, { input: { email, password: "Wrong-pass-1" } })];
  };
  const expected = await both(unknown);
  for (const [kind, { email }] of kinds()) expect(await both(email), kind).toEqual(expected);
});

test("takes the same time to reject wrong passwords for known and unknown addresses, within 10 ms over 200 pairs", async () => {
  const signInAs = (email: string) => async () =>
    expect((await rest(email, "Wrong-pass-1")).json).toHaveProperty("invalid_grant");
  const attempts = Object.fromEntries(kinds().map(([kind, { email }]) => [kind, signInAs(email)]));
  const { known: _, ...others } = attempts;
  const gaps = {
    ...(await measureGaps(10, 200, { unknown: signInAs(unknown), known: signInAs(known.email) })),
    ...(await measureGaps(10, 40, { unknown: signInAs(unknown), ...others })),
  };
  for (const [kind, gap] of Object.entries(gaps)) expect(Math.abs(gap), kind).toBeLessThan(10);
}, 180_000);

test("doesn't reveal at sign-in whether a newly registered address already had an account", async () => {
  const free = buildRegistration().email as string;
  const [first, second] = ["Critical-path-1", "Critical-path-2"];
  for (const email of [free, known.email])
    for (const password of [first, second]) await register({ email, password, confirmPassword: password });
  const handlesAside = async (email: string, password: string) => {
    const { status, text } = await rest(email, password);
    return [status, text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "handle")];
  };
  for (const password of [first, second])
    expect(await handlesAside(known.email, password), password).toEqual(await handlesAside(free, password));
  expect((await rest(free, second)).json).toHaveProperty("not_confirmed");
  expect((await rest(known.email, testPassword)).status).toBe(200);

  const gaps = await measureGaps(5, 50, { free: () => rest(free, second), taken: () => rest(known.email, second) });
  expect(Math.abs(gaps.taken ?? Number.NaN)).toBeLessThan(5);
}, 120_000);
