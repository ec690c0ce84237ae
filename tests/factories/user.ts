import { hash } from "@node-rs/argon2";
import { MemberType } from "#schema/user.ts";
import { openSession } from "#api/access/sessions/open-session.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Password of the users that {@link createUser} creates. */
export const testPassword = "Planner-tasks-47";

let passwordHash: Promise<string> | undefined;
let count = 0;

/** Builds valid registration values with a new email address, with `changes`. */
export function buildRegistration(changes: Record<string, unknown> = {}) {
  count++;
  return {
    firstName: "Ada",
    lastName: "Byron",
    companyName: "Analytical Planning",
    position: "Planner",
    email: `person${count}-${Math.trunc(performance.now() * 1000)}@example.com`,
    mobile: "+61 400 000 000",
    password: testPassword,
    confirmPassword: testPassword,
    isTester: false,
    isServiceProvider: false,
    fullAddress: "",
    unitNumber: "",
    streetNumber: "12",
    streetName: "Eagle Street",
    city: "Brisbane",
    state: "QLD",
    postCode: "4000",
    country: "Australia",
    ...changes,
  };
}

/** Creates a confirmed regular user with {@link testPassword}, with `changes`. */
export async function createUser(test: TestApp, changes: Partial<User> = {}): Promise<User> {
  // A hash with the smallest cost, which every sign-in with this password repeats.
  passwordHash ??= hash(testPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  const { password: _, confirmPassword: __, ...details } = buildRegistration();
  const em = test.services.orm.em.fork();
  const now = test.clock.now();
  const user = em.create(User, {
    ...details,
    memberType: MemberType.Regular,
    passwordHash: await passwordHash,
    registeredAt: now,
    emailConfirmedAt: now,
    ...changes,
    signInEmail:
      changes.signInEmail === undefined
        ? changes.deletedAt
          ? null
          : (changes.email ?? details.email).toLowerCase()
        : changes.signInEmail,
  } as never) as User;
  await em.flush();
  return user;
}

export const createCorporateUser = (test: TestApp, changes: Partial<User> = {}) =>
  createUser(test, { memberType: MemberType.Corporate, ...changes });

export const createAdmin = (test: TestApp, changes: Partial<User> = {}) =>
  createUser(test, { memberType: MemberType.Admin, ...changes });

/** Opens a session of the user and returns its access token. */
export async function signInAs(test: TestApp, user: User): Promise<string> {
  const context = test.context();
  const tokens = await openSession(context, context.em, await context.em.findOneOrFail(User, user.id), "portal");
  await context.em.flush();
  return tokens.accessToken;
}

/** Creates a user like {@link createUser}, and returns an access token of theirs as well. */
export async function createSignedIn(test: TestApp, changes: Partial<User> = {}) {
  const user = await createUser(test, changes);
  return { user, token: await signInAs(test, user) };
}

/** Creates an admin like {@link createAdmin}, and returns an access token of theirs as well. */
export const createSignedInAdmin = (test: TestApp, changes: Partial<User> = {}) =>
  createSignedIn(test, { memberType: MemberType.Admin, ...changes });

/** Opens a session of the user whose proof of identity is too old, and returns its access token. */
export async function signInWithOldProof(test: TestApp, user: User): Promise<string> {
  const token = await signInAs(test, user);
  await expireProof(test, user);
  return token;
}

/** Ages the proofs of identity in all sessions of the user by eleven minutes. */
export async function expireProof(test: TestApp, { id }: Pick<User, "id">): Promise<void> {
  const age = "update sessions set proved_at = proved_at - interval '11 minutes' where user_id = $1";
  await test.services.pool.query(age, [id]);
}
