import jwt from "jsonwebtoken";
import { MemberType } from "#schema/catalogue.ts";
import { epochSeconds } from "#api/platform/clock.ts";
import type { Role, Services } from "#api/platform/context.ts";
import type { User } from "#api/features/accounts/user.entity.ts";

/** Lifetime of an access token in seconds (DOMAIN §6). */
export const ACCESS_TOKEN_SECONDS = 600;

const audience = "xer-portal";

/** Role of each member type (DOMAIN §6). */
export const roleOfMemberType: Record<MemberType, Role> = {
  [MemberType.Regular]: "regular",
  [MemberType.Corporate]: "corporate",
  [MemberType.Admin]: "admin",
};

/** Claims of an access token (DOMAIN §6). */
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

/** The claims of a token that we signed, for us, and that has not expired; else null. */
export function readAccessToken(services: Signing, token: string): AccessClaims | null {
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    // Licence proofs are signed with the same keys; their type keeps them from passing as a sign-in.
    if (header?.typ !== "at+jwt") return null;
    const key = services.keys.find(header.kid);
    if (!key) return null;
    return jwt.verify(token, key.publicKey, {
      algorithms: ["ES256"],
      audience,
      issuer: services.config.publicUrl,
      clockTimestamp: epochSeconds(services.clock.now()),
    }) as unknown as AccessClaims;
  } catch {
    return null;
  }
}
