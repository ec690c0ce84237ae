import { describe, expect, test } from "vitest";
import { type Audience, includesRole, isWithin } from "#api/platform/graphql/audience.ts";
import type { Actor } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { authorize, getPermission, type Permission } from "#api/platform/graphql/permissions.ts";
import { requireRecentProof } from "#api/platform/graphql/harm.ts";
import { isOwner, requireStaffRole } from "#api/platform/graphql/staff-role.ts";
import { requireScopes, requireSession } from "#api/platform/graphql/token-scopes.ts";
import type { Scope } from "#schema/personal-access-token.ts";

const customer: Actor = { userId: "user", sessionId: "session", role: "regular" };
const corporate: Actor = { ...customer, role: "corporate" };
const owner: Actor = { ...customer, role: "admin", staffRoles: ["owner"], hasRecentProof: true };
const supporter: Actor = { ...owner, staffRoles: ["support"] };
const withScopes = (actor: Actor, ...scopes: Scope[]): Actor => ({
  ...actor,
  sessionId: null,
  token: { id: "token", scopes: new Set(scopes) },
});

/** Returns the code of the error that `check` throws, with its reason; undefined if it passes. */
function getRefusal(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, error.reason].filter(Boolean).join(" ");
  }
}
const refuse = (row: Permission, actor: Actor | null, name = "Query.x") =>
  getRefusal(() => authorize(row, [name], actor));

describe("audiences", () => {
  test.each([
    ["everyone", [undefined, undefined, undefined, undefined]],
    ["anySession", ["UNAUTHENTICATED", undefined, undefined, undefined]],
    ["signedIn", ["UNAUTHENTICATED", undefined, undefined, undefined]],
    ["customer", ["UNAUTHENTICATED", undefined, undefined, "FORBIDDEN"]],
    ["regular", ["UNAUTHENTICATED", undefined, "FORBIDDEN", "FORBIDDEN"]],
    ["admin", ["UNAUTHENTICATED", "FORBIDDEN", "FORBIDDEN", undefined]],
  ] as const)("%s", (audience, expected) => {
    const row = { audience, roles: "all", scope: "open" } as const;
    expect([null, customer, corporate, owner].map((actor) => refuse(row, actor))).toEqual(expected);
  });

  test("are closed to admins who must set up two-step sign-in, except for setting it up", () => {
    const admin = { ...owner, mustSetUpTwoStep: true };
    const audiences = ["everyone", "anySession", "signedIn", "admin"] as const;
    const refusals = audiences.map((audience) => refuse({ audience, roles: "all", scope: "open" }, admin));
    const refusal = "FORBIDDEN SET_UP_TWO_STEP";
    expect(refusals).toEqual([undefined, undefined, refusal, refusal]);
  });

  test("are within wider ones", () => {
    const order: Audience[] = ["everyone", "anySession", "signedIn", "customer", "regular", "admin"];
    const wider = (inner: Audience) => order.filter((outer) => isWithin(inner, outer));
    expect(Object.fromEntries(order.map((inner) => [inner, wider(inner)]))).toEqual({
      everyone: ["everyone"],
      anySession: ["everyone", "anySession"],
      signedIn: ["everyone", "anySession", "signedIn"],
      customer: ["everyone", "anySession", "signedIn", "customer"],
      regular: ["everyone", "anySession", "signedIn", "customer", "regular"],
      admin: ["everyone", "anySession", "signedIn", "admin"],
    });
    expect([includesRole("everyone", "regular"), includesRole("regular", "corporate")]).toEqual([true, false]);
  });
});

test("staff roles let in owners, admins without a role and the named roles, and apply to admins only", () => {
  const row = { audience: "admin", roles: ["support"], scope: "open" } as const;
  const actors = [owner, { ...owner, staffRoles: [] }, { ...customer, role: "admin" } as Actor, supporter];
  expect(actors.map((actor) => refuse(row, actor))).toEqual(actors.map(() => undefined));
  expect(refuse({ ...row, roles: ["finance"] }, supporter)).toBe("FORBIDDEN");
  expect(refuse({ ...row, roles: [] }, supporter)).toBe("FORBIDDEN");
  expect(refuse({ ...row, roles: "all" }, supporter)).toBeUndefined();
  expect([owner, supporter, customer].map(isOwner)).toEqual([true, false, true]);
  expect(getRefusal(() => requireStaffRole([], customer))).toBeUndefined();
  expect(getRefusal(() => requireStaffRole([], null))).toBeUndefined();
  expect(() => requireStaffRole([], supporter)).toThrow(
    "Your staff role doesn't include this. An owner can change your roles.",
  );
});

describe("personal access tokens", () => {
  const token = withScopes(customer, "licences:read", "webhooks:read");

  test.each([
    ["licences:read", undefined],
    ["licences:write", "FORBIDDEN SCOPE_MISSING"],
    [["licences:read", "webhooks:read"], undefined],
    [["licences:read", "licences:write"], "FORBIDDEN SCOPE_MISSING"],
    [["users:read", "licences:write"], "FORBIDDEN"],
    ["users:read", "FORBIDDEN"],
    ["session", "FORBIDDEN SESSION_ONLY"],
    ["open", undefined],
  ] as const)("need %s", (scope, expected) => {
    expect(refuse({ audience: "everyone", scope }, token)).toBe(expected);
    expect(refuse({ audience: "everyone", scope }, customer)).toBeUndefined();
    expect(refuse({ audience: "everyone", scope }, null)).toBeUndefined();
  });

  test("need the scopes of all rows, and a row without a rule needs a session", () => {
    expect(getRefusal(() => requireScopes(["open", "licences:read"], token))).toBeUndefined();
    expect(getRefusal(() => requireScopes(["open", undefined], token))).toBe("FORBIDDEN SESSION_ONLY");
    expect(() => requireScopes(["licences:write", "profile:read"], token)).toThrow(
      'This personal access token lacks the scopes "licences:write" and "profile:read".',
    );
  });

  test("have no session", () => {
    expect(requireSession({ actor: customer })).toEqual(customer);
    expect(getRefusal(() => requireSession({ actor: token }))).toBe("FORBIDDEN SESSION_ONLY");
    expect(getRefusal(() => requireSession({ actor: null }))).toBe("UNAUTHENTICATED");
  });
});

describe("recent proof of identity", () => {
  const old = { ...owner, hasRecentProof: false };

  const token = withScopes(owner, "users:write");

  test.each([
    ["none", undefined, undefined],
    ["own", undefined, undefined],
    ["others", undefined, undefined],
    ["mass", "STEP_UP_REQUIRED", undefined],
    ["money", "STEP_UP_REQUIRED", "FORBIDDEN SESSION_ONLY"],
    ["access", "STEP_UP_REQUIRED", "FORBIDDEN SESSION_ONLY"],
    ["release", "STEP_UP_REQUIRED", "FORBIDDEN SESSION_ONLY"],
    ["destroy", "STEP_UP_REQUIRED", "FORBIDDEN SESSION_ONLY"],
  ] as const)("for the class %s: with an old one %s, with a token %s", (harm, withOldProof, withToken) => {
    const row = { audience: "signedIn", scope: "users:write", harm } as const;
    const refusals = [old, token, owner, null].map((actor) => refuse({ ...row, audience: "everyone" }, actor));
    expect(refusals).toEqual([withOldProof, withToken, undefined, undefined]);
  });

  test("can't be given by a token, and isn't needed without a caller", () => {
    expect(getRefusal(() => requireRecentProof({ actor: withScopes(owner) }))).toBe("FORBIDDEN SESSION_ONLY");
    expect(getRefusal(() => requireRecentProof({ actor: null }))).toBeUndefined();
  });
});

const viewer = { ...customer, viewerId: "admin" };
const row = { audience: "signedIn", scope: "open" } as const;

test.each([
  ["Query.me", undefined],
  ["GET /v1/licence/:id", undefined],
  ["User.licences", undefined],
  ["Mutation.updateProfile", "FORBIDDEN VIEW_ONLY"],
  ["POST /v1/licence/offline", "FORBIDDEN VIEW_ONLY"],
  ["DELETE /v1/x", "FORBIDDEN VIEW_ONLY"],
])("an admin viewing as a customer may read, but not change: %s", (name, expected) => {
  expect(refuse(row, viewer, name)).toBe(expected);
  expect(refuse(row, customer, name)).toBeUndefined();
});

test("a view as a customer follows the exceptions of a row, and is refused if one of its names changes something", () => {
  expect(refuse({ ...row, viewers: "allowed" }, viewer, "Mutation.signOut")).toBeUndefined();
  expect(refuse({ ...row, viewers: "refused" }, viewer, "Query.myData")).toBe("FORBIDDEN VIEW_ONLY");
  const names = ["GET /v1/core/accounts/create-trial", "Mutation.startTrial"];
  expect(getRefusal(() => authorize(row, names, viewer))).toBe("FORBIDDEN VIEW_ONLY");
});

test("an operation without a row is an error of the server", () => {
  const row = { audience: "everyone", scope: "open" } as const;
  const table = { operations: { "Query.me": row }, types: {} };
  expect(getPermission(table, "Query.me")).toBe(row);
  expect(() => getPermission(table, "Query.gone")).toThrow("Query.gone has no permission");
});
