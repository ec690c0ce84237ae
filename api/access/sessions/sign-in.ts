import { LockMode } from "@mikro-orm/core";
import type { SignInValues } from "#schema/account.ts";
import type { SecurityEventDetails } from "#schema/security-event.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { findKeptEmail } from "#api/people/merges/account-merge.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { openSessionOrChallenge, type SessionOrChallenge } from "#api/access/two-step/challenges.ts";
import type { ClientId } from "./open-session.ts";
import { verifyPassword } from "./password.ts";
import { clearSignInMinute, findReachedLimit, isSignInLocked, limitSignInAttempts } from "./sign-in-limits.ts";

/** Outcome of a sign-in. A refusal includes the message to show. */
export type SignInOutcome =
  | SessionOrChallenge
  | { kind: "not-confirmed"; handle: string; message: string }
  | { kind: "not-active"; message: string }
  | { kind: "invalid"; message: string };

const messages = {
  invalid: "Sorry, your user name or password is incorrect.",
  notActive: "Sorry, your account is not active. Please contact support.",
  notConfirmed: "Please confirm your email address first. We can send you the link again.",
};

const toMergedMessage = (keptEmail: string) =>
  `This account was merged into your other one. Please sign in with ${keptEmail}.`;

/**
 * Signs a user in with email and password. Returns more than 'incorrect' only if the password is right. Every attempt
 * checks two hashes, so response times reveal neither unknown addresses nor registrations under a taken address
 * (decision 0017). If two-step sign-in is on, returns the second step instead of a session.
 * @throws AppError RATE_LIMITED after too many wrong passwords by the caller; UNAVAILABLE after too many by others, or if
 * too many passwords are waiting to be checked. Only wrong passwords count against the limits.
 */
export async function signIn(context: Context, values: SignInValues, clientId: ClientId): Promise<SignInOutcome> {
  const email = values.email.toLowerCase();
  const outcome = await limitSignInAttempts(context, email, async (countTry) => {
    const checked = await checkPassword(context, email, values.password, clientId);
    if (checked.kind === "invalid") countTry();
    return checked;
  }).catch((error: unknown) => reportLockOut(context, email, error));
  if (outcome.kind === "signed-in" || outcome.kind === "two-step") await clearSignInMinute(context, email);
  return outcome;
}

/** Reports a sign-in that was refused after too many wrong passwords, and throws its error again. */
async function reportLockOut(context: Context, email: string, error: unknown): Promise<never> {
  if (isSignInLocked(error)) {
    const [user] = await query<{ id: string }>(context.em, "select id from users where sign_in_email = $1", [email]);
    const detail = { limit: await findReachedLimit(context), seconds: error.retryAfterSeconds ?? 0 };
    reportSecurityEvent(context, { type: "sign-in.locked", userId: user?.id ?? null, detail });
  }
  throw error;
}

async function checkPassword(
  context: Context,
  email: string,
  password: string,
  clientId: ClientId,
): Promise<SignInOutcome> {
  const candidates = await findCandidates(context, email);
  const matches = await Promise.all(
    candidates.map((user) => verifyPassword(user?.passwordHash ?? null, password, context)),
  );
  const user = candidates[matches.indexOf(true)];
  const refuse = (reason: SecurityEventDetails["sign-in.failed"]["reason"]) =>
    reportSecurityEvent(context, {
      type: "sign-in.failed",
      userId: (user ?? candidates[0])?.id ?? null,
      detail: { client: clientId, reason },
    });
  if (!user) {
    refuse("wrong-password");
    return { kind: "invalid", message: messages.invalid };
  }
  if (user.archivedAt) {
    refuse("not-active");
    const keptEmail = await findKeptEmail(context.em, user.id);
    return { kind: "not-active", message: keptEmail ? toMergedMessage(keptEmail) : messages.notActive };
  }
  if (!user.emailConfirmedAt) {
    refuse("not-confirmed");
    return { kind: "not-confirmed", handle: user.confirmationHandle, message: messages.notConfirmed };
  }
  return (await openSessionAfterPassword(context, user, clientId)) ?? { kind: "invalid", message: messages.invalid };
}

/** Columns of an account that a password may belong to. */
type Candidate = Pick<User, "id" | "passwordHash" | "archivedAt" | "emailConfirmedAt" | "confirmationHandle">;

/**
 * Returns the accounts that a password may belong to: the confirmed or archived account of the address, and the newest
 * unconfirmed registration under it. The query is the same whether or not the address is taken, so it reveals nothing
 * to a stranger.
 */
async function findCandidates(context: Context, email: string): Promise<(Candidate | null)[]> {
  const columns = `id, password_hash as "passwordHash", archived_at as "archivedAt",
                   email_confirmed_at as "emailConfirmedAt", confirmation_handle as "confirmationHandle"`;
  // Read plain rows, because creating entities would take longer for a known address than for an unknown one.
  const found = await query<Candidate>(
    context.em,
    `select * from (
       (select 1 as slot, ${columns} from users
         where sign_in_email = $1 and (email_confirmed_at is not null or archived_at is not null))
       union all
       (select 2 as slot, ${columns} from users
         where (sign_in_email = $1 or (sign_in_email is null and lower(email) = $1))
           and email_confirmed_at is null and archived_at is null
         order by registered_at desc, id desc limit 1)
     ) candidates order by slot`,
    [email],
  );
  return [found[0] ?? null, found[1] ?? null];
}

/**
 * Opens a session for a user with a verified password, or starts the second step. Takes the same row lock as replacing
 * a password does, so a session opened with the old password is either ended or never opened.
 * @returns null if the password was replaced or the account archived in the meantime.
 */
async function openSessionAfterPassword(
  context: Context,
  checked: Candidate,
  clientId: ClientId,
): Promise<SessionOrChallenge | null> {
  return inTransaction(context, async (em) => {
    const user = await em.findOne(User, checked.id, {
      populate: ["passwordHash"],
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    if (!user || user.passwordHash !== checked.passwordHash || user.archivedAt) return null;
    return openSessionOrChallenge(context, em, user, clientId);
  });
}
