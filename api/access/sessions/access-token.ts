import jwt from "jsonwebtoken";
import { MemberType } from "#schema/catalogue.ts";
import { epochSeconds } from "#api/platform/clock.ts";
import type { Role, Services } from "#api/platform/context.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** Lifetime of an access token in seconds. */
export const ACCESS_TOKEN_SECONDS = 600;

const audience = "xer-portal";

/** Role of each member type, the `rol` claim. */
export const roleOfMemberType: Record<MemberType, Role> = {
  [MemberType.Regular]: "regular",
  [MemberType.Corporate]: "corporate",
  [MemberType.Admin]: "admin",
};

/** Claims of an access token (docs/domain.md#tokens). */
export interface AccessClaims {
  id: string;
  sub: string;
  given_name: string;
  family_name: string;
  rol: Role;
  sid: string;
  /** Id of the admin who views the portal as this customer. */
  viewer?: string;
}

/** What sets the token of a view apart (decision 0035): who looks, and its lifetime in seconds, which is the view's. */
export interface ViewToken {
  readonly viewerId: string;
  readonly seconds: number;
}

type Signing = Pick<Services, "keys" | "clock" | "config">;

/** An ES256 access token of 10 minutes for a session, or of a view's time for a view (RFC 7519, RFC 9068 `typ`). */
export function signAccessToken(services: Signing, user: User, sessionId: string, view?: ViewToken): string {
  const issuedAt = epochSeconds(services.clock.now());
  return jwt.sign(
    {
      id: user.id,
      sub: user.email,
      given_name: user.firstName,
      family_name: user.lastName,
      rol: roleOfMemberType[user.memberType as MemberType],
      sid: sessionId,
      iat: issuedAt,
      ...(view ? { viewer: view.viewerId } : {}),
      exp: issuedAt + (view?.seconds ?? ACCESS_TOKEN_SECONDS),
      aud: audience,
      iss: services.config.publicUrl,
    },
    services.keys.current.privateKey,
    { algorithm: "ES256", keyid: services.keys.current.kid, header: { alg: "ES256", typ: "at+jwt" } },
  );
}

/** How long a token's signature is taken as seen, and how many are remembered at most. */
const SEEN_SECONDS = 30;
const MOST_SEEN = 5_000;

interface Seen {
  readonly claims: AccessClaims & { readonly exp: number };
  readonly kid: string;
  readonly at: number;
}

// By the keys that they were signed with, so that two products in one process do not believe each other's.
const seen = new WeakMap<Signing["keys"], Map<string, Seen>>();

/**
 * The claims of a token that we signed, for us, and that has not expired; else null. A signature is checked once in
 * half a minute, for it costs as much as all the rest of a small request; end and key are looked at every time, and
 * whether the session still lives is not this function's to say.
 */
export function readAccessToken(services: Signing, token: string): AccessClaims | null {
  const now = epochSeconds(services.clock.now());
  const known = seen.get(services.keys) ?? new Map<string, Seen>();
  seen.set(services.keys, known);
  const before = known.get(token);
  // A clock that is set back counts as well.
  if (before && Math.abs(now - before.at) < SEEN_SECONDS && now < before.claims.exp && services.keys.find(before.kid))
    return before.claims;
  known.delete(token);
  const read = verifyAccessToken(services, token, now);
  if (!read) return null;
  if (known.size >= MOST_SEEN) known.clear();
  known.set(token, { ...read, at: now });
  return read.claims;
}

function verifyAccessToken(services: Signing, token: string, now: number): Omit<Seen, "at"> | null {
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    // Licence proofs are signed with the same keys; their type keeps them from passing as a sign-in.
    if (header?.typ !== "at+jwt" || !header.kid) return null;
    const key = services.keys.find(header.kid);
    if (!key) return null;
    const claims = jwt.verify(token, key.publicKey, {
      algorithms: ["ES256"],
      audience,
      issuer: services.config.publicUrl,
      clockTimestamp: now,
    });
    return { claims: claims as unknown as Seen["claims"], kid: header.kid };
  } catch {
    return null;
  }
}
