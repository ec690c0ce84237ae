import { generateKeyPairSync } from "node:crypto";
import jwt from "jsonwebtoken";
import { describe, expect, test } from "vitest";
import { readAccessToken, signAccessToken } from "#api/access/sessions/access-token.ts";
import { User } from "#api/people/users/user.entity.ts";
import { generateSigningJwk, toSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { createTestConfig } from "#tests/support/test-config.ts";

const start = new Date("2026-05-01T00:00:00Z");
const SECOND_MS = 1_000;
const config = createTestConfig("");
const user = Object.assign(Object.create(User.prototype) as User, {
  id: "user",
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Byron",
  memberType: 1,
  staffRoles: ["support"],
});

/** Creates the services of a product with its own keys and a clock that `now` moves. */
function createServices(jwks = [generateSigningJwk()]) {
  const time = { now: start };
  return { services: { keys: toSigningKeys(jwks), clock: { now: () => time.now }, config }, time };
}
const after = (seconds: number) => new Date(start.getTime() + seconds * SECOND_MS);

describe("access token", () => {
  test("contains the documented claims and is valid for ten minutes", () => {
    const { services } = createServices();
    const token = signAccessToken(services, user, "session");
    const { header, payload } = jwt.decode(token, { complete: true }) ?? {};
    expect(header).toEqual({ alg: "ES256", typ: "at+jwt", kid: services.keys.current.kid });
    expect(payload).toEqual({
      id: "user",
      sub: "ada@example.com",
      given_name: "Ada",
      family_name: "Byron",
      rol: "regular",
      sid: "session",
      iat: start.getTime() / SECOND_MS,
      exp: start.getTime() / SECOND_MS + 600,
      aud: "xer-portal",
      iss: "http://portal.test",
    });
    expect(readAccessToken(services, token)).toEqual(payload);
  });

  test.each([
    [2, { rol: "corporate" }],
    [3, { rol: "admin", staff_roles: ["support"] }],
  ])("names the role of member type %i, and the staff roles of admins only", (memberType, claims) => {
    const { services } = createServices();
    const token = signAccessToken(services, Object.assign(Object.create(user), { memberType }) as User, "session");
    expect(jwt.decode(token)).toMatchObject(claims);
    expect(Object.hasOwn(jwt.decode(token) as object, "staff_roles")).toBe(memberType === 3);
  });

  test("names the admin who views as the customer, and lives as long as the view", () => {
    const { services, time } = createServices();
    const token = signAccessToken(services, user, "session", { viewerId: "admin", seconds: 900 });
    time.now = after(899);
    expect(readAccessToken(services, token)).toMatchObject({ viewer: "admin" });
    time.now = after(900);
    expect(readAccessToken(services, token)).toBeNull();
  });

  test.each(["a first reading", "a cached one"])("expires to the second for %s", (reading) => {
    const { services, time } = createServices();
    const token = signAccessToken(services, user, "session");
    time.now = after(599);
    if (reading === "a cached one") expect(readAccessToken(services, token)).toMatchObject({ sid: "session" });
    time.now = after(600);
    expect(readAccessToken(services, token)).toBeNull();
  });

  test("works with a key that no longer signs, until the key is removed", () => {
    const [old, fresh] = [generateSigningJwk(), generateSigningJwk()];
    const { services } = createServices([old]);
    const token = signAccessToken(services, user, "session");
    expect(readAccessToken(createServices([fresh, old]).services, token)).toMatchObject({ sid: "session" });
    expect(readAccessToken(createServices([fresh]).services, token)).toBeNull();
  });

  test("stops working when its key is removed while its reading is cached", () => {
    const { services } = createServices();
    const token = signAccessToken(services, user, "session");
    let isKept = true;
    const keys = { ...services.keys, find: (kid: string | undefined) => (isKept ? services.keys.find(kid) : null) };
    expect(readAccessToken({ ...services, keys }, token)).toMatchObject({ sid: "session" });
    isKept = false;
    expect(readAccessToken({ ...services, keys }, token)).toBeNull();
  });

  test("verifies a signature once in 30 seconds, also after the clock was set back", () => {
    const { services, time } = createServices();
    const token = signAccessToken(services, user, "session");
    let verifications = 0;
    const keys = {
      ...services.keys,
      find(kid: string | undefined) {
        const key = services.keys.find(kid);
        return (
          key && {
            ...key,
            get publicKey() {
              verifications++;
              return key.publicKey;
            },
          }
        );
      },
    };
    const counts = [0, 29, 30, 59, 0].map((seconds) => {
      time.now = after(seconds);
      expect(readAccessToken({ ...services, keys }, token)).toMatchObject({ sid: "session" });
      return verifications;
    });
    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });

  test("isn't accepted with another type, issuer, audience, algorithm or form", () => {
    const { services } = createServices();
    const { privateKey, kid } = services.keys.current;
    const claims = { sid: "session", exp: start.getTime() / SECOND_MS + 60, aud: "xer-portal", iss: config.publicUrl };
    const sign = (changes: object, header: object = {}) =>
      jwt.sign({ ...claims, ...changes }, privateKey, {
        algorithm: "ES256",
        header: { alg: "ES256", typ: "at+jwt", kid, ...header },
      });
    expect(readAccessToken(services, sign({}))).toMatchObject({ sid: "session" });
    const unsigned = jwt.sign(claims, null, { algorithm: "none", header: { alg: "none", typ: "at+jwt", kid } });
    const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const publicPem = services.keys.current.publicKey.export({ type: "spki", format: "pem" }) as string;
    const wrong = [
      jwt.sign(claims, stranger, { algorithm: "ES256", header: { alg: "ES256", typ: "at+jwt", kid } }),
      jwt.sign(claims, publicPem, {
        algorithm: "HS256",
        header: { alg: "HS256", typ: "at+jwt", kid },
        allowInvalidAsymmetricKeyTypes: true,
      }),
      sign({}, { typ: "licence-proof" }),
      sign({}, { typ: undefined }),
      sign({}, { kid: "unknown" }),
      sign({}, { kid: undefined }),
      sign({ iss: "http://elsewhere.test" }),
      sign({ aud: "elsewhere" }),
      unsigned,
      `${sign({}).slice(0, -4)}AAAA`,
      "a.b.c",
      "",
    ];
    expect(wrong.map((token) => readAccessToken(services, token))).toEqual(wrong.map(() => null));
  });
});
