import { LockMode } from "@mikro-orm/core";
import type { SignInValues } from "#schema/rules/account.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { openSessionOrAsk, type SessionOrQuestion } from "#api/access/two-step/open-or-ask.ts";
import type { ClientId } from "./open-session.ts";
import { isPassword } from "./password.ts";
import { clearSignInMinute, limitSignInTries } from "./sign-in-limits.ts";

/** How a sign-in ended; a refusal is data, with the sentence to show. */
export type SignInOutcome =
  | SessionOrQuestion
  | { kind: "not-confirmed"; handle: string; message: string }
  | { kind: "not-active"; message: string }
  | { kind: "invalid"; message: string };

const sentences = {
  invalid: "Sorry, your user name or password is incorrect.",
  notActive: "Sorry, your account is not active. Please contact support.",
  notConfirmed: "Please confirm your email address first. We can send you the link again.",
};

/**
 * Signs a person in by email and password. Only the right password learns more than 'incorrect'. Every try checks two
 * hashes, so that neither an unknown address nor a registration under a taken one can be told by time (decision 0017).
 * With two-step sign-in on, the right password is answered by the question for the second step.
 * @throws AppError RATE_LIMITED after 5 wrong passwords a minute or 20 an hour, UNAVAILABLE when too many passwords
 * wait to be checked. Only wrong passwords count against the limits.
 */
export async function signIn(context: Context, values: SignInValues, clientId: ClientId): Promise<SignInOutcome> {
  const email = values.email.toLowerCase();
  const outcome = await limitSignInTries(context, email, async (countTry) => {
    const checked = await checkPassword(context, email, values.password, clientId);
    if (checked.kind === "invalid") countTry();
    return checked;
  });
  if (outcome.kind === "signed-in" || outcome.kind === "two-step") await clearSignInMinute(context, email);
  return outcome;
}

async function checkPassword(
  context: Context,
  email: string,
  password: string,
  clientId: ClientId,
): Promise<SignInOutcome> {
  const candidates = await candidatesFor(context, email);
  const rights = await Promise.all(candidates.map((user) => isPassword(user?.passwordHash ?? null, password)));
  const user = candidates[rights.indexOf(true)];
  if (!user) return { kind: "invalid", message: sentences.invalid };
  if (user.archivedAt) return { kind: "not-active", message: sentences.notActive };
  if (!user.emailConfirmedAt)
    return { kind: "not-confirmed", handle: user.confirmationHandle, message: sentences.notConfirmed };
  return (await openSessionAfterPassword(context, user, clientId)) ?? { kind: "invalid", message: sentences.invalid };
}

/** What is asked of somebody whose password it may be. */
type Candidate = Pick<User, "id" | "passwordHash" | "archivedAt" | "emailConfirmedAt" | "confirmationHandle">;

/**
 * Whose password it may be: the account of the address, and the newest registration under it that is not confirmed,
 * whether it holds the address or came second to the account. The second is the same for a stranger who registers
 * under a free and under a taken address: that it is always looked for tells them nothing.
 */
async function candidatesFor(context: Context, email: string): Promise<(Candidate | null)[]> {
  const columns = `id, password_hash as "passwordHash", archived_at as "archivedAt",
                   email_confirmed_at as "emailConfirmedAt", confirmation_handle as "confirmationHandle"`;
  // Rows as they are: to make entities of them would take longer for a known address than for an unknown one.
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
 * A session for a user whose password was right a moment ago, or the question for the second step. Under the lock that whoever replaces a password holds,
 * so that a session opened with the old one is either ended by the replacement or not opened.
 * @returns null when the password was replaced or the account archived since.
 */
async function openSessionAfterPassword(
  context: Context,
  checked: Candidate,
  clientId: ClientId,
): Promise<SessionOrQuestion | null> {
  return context.em.fork().transactional(async (em) => {
    const user = await em.findOne(User, checked.id, {
      populate: ["passwordHash"],
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    if (!user || user.passwordHash !== checked.passwordHash || user.archivedAt) return null;
    return openSessionOrAsk(context, em, user, clientId);
  });
}
