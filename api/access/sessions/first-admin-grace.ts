import { MemberType } from "#schema/user.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";

/**
 * Returns whether an admin must set up two-step sign-in, or add a passkey, before anything else. The first admin of an installation may
 * work for some days without it (`firstAdminGraceDays`), because they have to set up the product first.
 */
export async function mustSetUpTwoStep(
  services: Pick<Services, "pool" | "clock" | "config">,
  { userId, twoStep }: { readonly userId: string; readonly twoStep: boolean },
): Promise<boolean> {
  const { adminTwoStepRequired, adminPasskeyRequired, firstAdminGraceDays } = services.config;
  if (!adminTwoStepRequired || (twoStep && !adminPasskeyRequired)) return false;
  if (twoStep) {
    const { rowCount } = await services.pool.query("select from passkeys where user_id = $1 limit 1", [userId]);
    return rowCount === 0;
  }
  if (firstAdminGraceDays === 0) return true;
  const since = addMilliseconds(services.clock.now(), -firstAdminGraceDays * DAY);
  const { rowCount } = await services.pool.query(
    `select from users u
      where u.id = $1 and u.registered_at > $2
        and not exists (select from users a where a.member_type = ${MemberType.Admin} and (a.registered_at, a.id) < (u.registered_at, u.id))`,
    [userId, since],
  );
  return rowCount === 0;
}
