import { timingSafeEqual } from "node:crypto";
import { DAY, SECOND, addMilliseconds, toEpochSeconds } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { hashWithKey } from "#api/platform/keys/secrets.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { newSignIn } from "#api/messaging/emails/templates/new-sign-in.tsx";
import { issueNotMeLink } from "#api/access/registration/email-tokens.ts";
import { describeDevice, getNetwork } from "./user-agent.ts";

/**
 * A browser that signed in has a cookie that proves it, so strangers who guess passwords for its user's email address
 * can't lock that browser out (decision 0017). The cookie contains a mark for each user of the browser: the time and a
 * keyed hash of time, user, password hash and epoch. It gives no access. A new password and signing out everywhere make the
 * earlier marks invalid.
 */
const COOKIE = "known-device";
/** Time in milliseconds for which a browser counts as known after its user signed in or had a session there. */
export const KNOWN_DEVICE_MS = 90 * DAY;
/** More users than share one browser. Keeps the cookie small. */
const MOST_MARKS = 5;

type Owner = Pick<User, "id" | "passwordHash" | "knownDeviceEpoch">;

/** Marks the browser as known to a user who has signed in. Does nothing for callers without cookies, such as jobs. */
export async function rememberDevice(context: Context, em: EntityManager, user: User): Promise<void> {
  const { cookies } = context.origin;
  if (!cookies) return;
  await em.populate(user, ["passwordHash"]);
  const others = readMarks(context).filter((mark) => !matchesMark(context, user, mark));
  const mark = createMark(context, user, toEpochSeconds(context.clock.now()));
  cookies.send(COOKIE, [...others, mark].slice(-MOST_MARKS).join("~"), KNOWN_DEVICE_MS / SECOND);
}

/**
 * Returns the mark that the request's browser received when the owner of an email address signed in, or null. Costs no
 * query without the cookie.
 */
export async function findKnownDevice(context: Context, email: string): Promise<string | null> {
  const marks = readMarks(context);
  if (marks.length === 0) return null;
  const [owner] = await query<Owner>(
    context.em,
    `select id, password_hash as "passwordHash", known_device_epoch as "knownDeviceEpoch"
       from users where sign_in_email = $1`,
    [email.toLowerCase()],
  );
  return (owner && marks.find((mark) => matchesMark(context, owner, mark))) ?? null;
}

function readMarks({ origin }: Context): readonly string[] {
  const marks = origin.cookies?.read(COOKIE).split("~") ?? [];
  return marks.filter((mark) => /^\d{10}\.[\w-]{43}$/.test(mark)).slice(-MOST_MARKS);
}

function matchesMark(context: Context, owner: Owner, mark: string): boolean {
  const since = Number(mark.split(".")[0]);
  const isValid = since * SECOND > context.clock.now().getTime() - KNOWN_DEVICE_MS;
  return isValid && timingSafeEqual(Buffer.from(mark), Buffer.from(createMark(context, owner, since)));
}

function createMark({ keys }: Context, { id, passwordHash, knownDeviceEpoch }: Owner, since: number): string {
  // Marks without an epoch are unchanged from earlier releases.
  const epoch = knownDeviceEpoch > 0 ? ` ${knownDeviceEpoch}` : "";
  return `${since}.${hashWithKey(keys.current, COOKIE, `${since} ${id} ${passwordHash}${epoch}`)}`;
}

/**
 * Emails the owner about a sign-in from a browser and network that no session of the last 90 days used. Skips the very
 * first sign-in. Runs in the transaction of `em` that opens the session, before the session is created.
 */
export async function emailNewDeviceSignIn(context: Context, em: EntityManager, user: User): Promise<void> {
  const { clock, origin } = context;
  const at = clock.now();
  if (!user.firstSignedInAt) {
    user.firstSignedInAt = at;
    return;
  }
  const known = await query<{ user_agent: string; ip: string }>(
    em,
    "select distinct user_agent, ip from sessions where user_id = $1 and last_used_at > $2 and viewer_id is null",
    [user.id, addMilliseconds(at, -KNOWN_DEVICE_MS)],
  );
  const browser = describeDevice(origin.userAgent);
  const network = getNetwork(origin.ip);
  if (known.some((one) => describeDevice(one.user_agent) === browser && getNetwork(one.ip) === network)) return;
  await emailUser(context, em, user, newSignIn, {
    at,
    browser,
    ip: origin.ip,
    notMe: issueNotMeLink(context, em, user),
  });
}
