import { DAY, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { generateSecret, hashSecret } from "#api/platform/keys/secrets.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Opt } from "@mikro-orm/core";
import { Entity, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { cancelEmailTokens } from "./email-tokens.ts";

/** The browser or program that registered an account. Deleted when the address is confirmed (decision 0003). */
@Entity({ tableName: "registration_browsers" })
export class RegistrationBrowser {
  @RowId()
  id: Opt<string> = randomUUID();

  @Unique()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  /** SHA-256 of the secret in the browser's cookie. */
  @Text()
  cookieHash!: string;

  /** SHA-256 of the IP address, for programs without cookies. */
  @Text()
  addressHash!: string;
}

const COOKIE = "registration";
/** Registrations that aren't confirmed within this time are deleted. */
const VALID_MS = 7 * DAY;

/**
 * Records which browser registers an account, so that the password is kept only if the address is confirmed there. A
 * stranger who registers somebody else's address can't leave a password in that account (decision 0003). Runs in the
 * transaction of `em`.
 */
export function rememberBrowser(context: Context, em: EntityManager, user: User): void {
  const { cookies } = context.origin;
  const received = readSecret(context);
  const secret = received || generateSecret();
  cookies?.send(COOKIE, secret, VALID_MS / SECOND);
  em.create(RegistrationBrowser, { user, cookieHash: hashSecret(secret), addressHash: hashAddress(context) });
}

/**
 * Returns whether the request comes from the browser that registered the account, or from a program at the same IP
 * address. Accounts that were registered before this was recorded count as registered here.
 */
export async function isRegistrationBrowser(context: Context, em: EntityManager, userId: string): Promise<boolean> {
  const known = await em.findOne(RegistrationBrowser, { user: userId });
  if (!known) return true;
  const secret = readSecret(context);
  if (secret && hashSecret(secret) === known.cookieHash) return true;
  return !context.origin.cookies?.isFromBrowser && hashAddress(context) === known.addressHash;
}

/**
 * Confirms the address of an account in the transaction of `em`. Deletes the record, and cancels unused confirmation links,
 * which would still sign in after a password reset.
 */
export async function confirmAddress(context: Context, em: EntityManager, user: User): Promise<void> {
  user.emailConfirmedAt ??= context.clock.now();
  await em.nativeDelete(RegistrationBrowser, { user: user.id });
  await cancelEmailTokens(context, em, user, "confirm-email");
}

function readSecret({ origin }: Context): string {
  const secret = origin.cookies?.read(COOKIE) ?? "";
  return /^[\w-]{43}$/.test(secret) ? secret : "";
}

function hashAddress({ origin }: Context): string {
  return hashSecret(origin.ip);
}
