import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { newSignIn } from "#api/messaging/emails/templates/new-sign-in.tsx";
import { issueNotMeLink } from "#api/access/registration/email-tokens.ts";
import { describeDevice, getNetwork } from "./user-agent.ts";

/** A device counts as known if it had a session within this time, in milliseconds. */
export const KNOWN_DEVICE_MS = 90 * DAY;

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
  await sendEmail(context, em, {
    template: newSignIn,
    to: user.email,
    data: { firstName: user.firstName, at, browser, ip: origin.ip, notMe: issueNotMeLink(context, em, user) },
  });
}
