import jwt from "jsonwebtoken";
import type { Role } from "#schema/roles.ts";
import { MemberType } from "#schema/user.ts";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** Lifetime of an access token in seconds. */
export const ACCESS_TOKEN_SECONDS = 600;

const audience = "xer-portal";

/** Role of each member type, used as the `rol` claim. */
export const roleByMemberType: Record<MemberType, Role> = {
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
  /** Roles of an admin, for display only: each request reads them from the database. */
  staff_roles?: readonly string[];
  /** Id of the admin who is viewing the portal as this customer. */
  viewer?: string;
}

type Signing = Pick<Services, "keys" | "clock" | "config">;

/**
 * Signs an ES256 access token for a session, valid for 10 minutes or for the lifetime of a view (RFC 7519, RFC 9068
 * `typ`).
 * @param view the admin who views the portal as this customer, and the lifetime of the view in seconds (decision 0035)
 */
export function signAccessToken(
  services: Signing,
  user: User,
  sessionId: string,
  view?: { readonly viewerId: string; readonly seconds: number },
): string {
  const issuedAt = toEpochSeconds(services.clock.now());
  return jwt.sign(
    {
      id: user.id,
      sub: user.email,
      given_name: user.firstName,
      family_name: user.lastName,
      rol: roleByMemberType[user.memberType as MemberType],
      sid: sessionId,
      ...(user.memberType === MemberType.Admin ? { staff_roles: user.staffRoles } : {}),
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

/** A verified signature is cached for this long, in seconds. */
const CACHE_SECONDS = 30;
const MAX_CACHED = 5_000;

interface CachedToken {
  readonly claims: AccessClaims & { readonly exp: number };
  readonly kid: string;
  readonly at: number;
}

// One cache per key set, so that two products in one process don't accept each other's tokens.
const caches = new WeakMap<Signing["keys"], Map<string, CachedToken>>();

/**
 * Returns the claims of an unexpired token that this product issued, or null. Verifies each signature at most once
 * every 30 seconds, because verification costs as much as the rest of a small request. Checks the expiry and the key
 * every time. Doesn't check whether the session is still open.
 */
export function readAccessToken(services: Signing, token: string): AccessClaims | null {
  const now = toEpochSeconds(services.clock.now());
  const cache = caches.get(services.keys) ?? new Map<string, CachedToken>();
  caches.set(services.keys, cache);
  const cached = cache.get(token);
  // The absolute value also expires cached tokens if the clock is set back.
  if (cached && Math.abs(now - cached.at) < CACHE_SECONDS && now < cached.claims.exp && services.keys.find(cached.kid))
    return cached.claims;
  cache.delete(token);
  const read = verifyAccessToken(services, token, now);
  if (!read) return null;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(token, { ...read, at: now });
  return read.claims;
}

function verifyAccessToken(services: Signing, token: string, now: number): Omit<CachedToken, "at"> | null {
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    // Licence proofs are signed with the same keys but have another type, so they can't be used as access tokens.
    if (header?.typ !== "at+jwt" || !header.kid) return null;
    const key = services.keys.find(header.kid);
    if (!key) return null;
    const claims = jwt.verify(token, key.publicKey, {
      algorithms: ["ES256"],
      audience,
      issuer: services.config.publicUrl,
      clockTimestamp: now,
    });
    return { claims: claims as unknown as CachedToken["claims"], kid: header.kid };
  } catch {
    return null;
  }
}
