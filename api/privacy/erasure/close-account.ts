import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { Context } from "#api/platform/context.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { requestCancellation } from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import { isRunning, Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { recordSubscriptionChange } from "#api/billing/subscriptions/record-subscription-change.ts";
import { ERASED } from "#api/platform/database/personal-data.ts";
import { revokeLicences } from "#api/licensing/licences/revoke-licences.ts";
import { turnOffEndpoints } from "#api/webhooks/endpoints/change-endpoint.ts";

/** Maximum number of running seats and active devices that end together with the account. The erasure ends the rest. */
const MOST_MACHINES = 2_000;

/**
 * Closes an account in the transaction of `em`, which must hold the locks on the user's licences and on the user's row.
 * Ends sessions, licences, seats, devices and subscriptions, turns off webhook endpoints, and anonymises the profile.
 */
export async function closeAccount(
  context: Context,
  em: EntityManager,
  user: User,
  passwordHash: string,
): Promise<void> {
  const at = context.clock.now();
  await query(em, "update sessions set ended_at = $2 where (user_id = $1 or viewer_id = $1) and ended_at is null", [
    user.id,
    at,
  ]);
  await turnOffEndpoints(em, user.id, at, "closure");
  await revokeLicences({ context, em, userId: user.id, limit: MOST_MACHINES });
  await endSeatsAndDevices(em, user.id, at);
  // Queue a job that stops charges at the payment provider and removes the name and email address there.
  await requestCancellation(context, em, user);
  await endSubscriptions(context, em, user);
  anonymizeProfile(user, at);
  user.passwordHash = passwordHash;
  await em.flush();
}

/** Ends seats before devices, because heartbeats lock them in that order. */
async function endSeatsAndDevices(em: EntityManager, userId: string, at: Date): Promise<void> {
  const belongsToUser = "licence_id in (select id from licences where user_id = $1)";
  await query(
    em,
    `update leases set os_user = null, ended_at = $2, ended_by = 'device-freed' where id in (
       select id from leases where ${belongsToUser} and ended_at is null order by id limit ${MOST_MACHINES} for update)`,
    [userId, at],
  );
  await query(
    em,
    `update devices set machine_name = '${ERASED}', os_user = null, freed_at = $2, offline_until = null where id in (
       select id from devices where ${belongsToUser} and freed_at is null order by id limit ${MOST_MACHINES} for update)`,
    [userId, at],
  );
}

async function endSubscriptions(context: Context, em: EntityManager, user: User): Promise<void> {
  const ended = await em.find(Subscription, { user: user.id, ...isRunning });
  for (const subscription of ended) subscription.status = "cancelled";
  await em.flush();
  // Subscriptions at the payment provider are recorded as ended when the provider ends them. Record only the others
  // here.
  for (const subscription of ended)
    if (!subscription.providerSubscriptionId) await recordSubscriptionChange(context, em, subscription, ["ended"]);
}

function anonymizeProfile(user: User, at: Date): void {
  Object.assign(user, {
    firstName: "Deleted",
    lastName: "User",
    email: `deleted-${user.id}@deleted.invalid`,
    signInEmail: null,
    pendingEmail: null,
    emailChangeHandle: null,
    mobile: "",
    companyName: "",
    abn: "",
    position: "",
    fullAddress: "",
    unitNumber: "",
    streetNumber: "",
    streetName: "",
    city: "",
    state: "",
    postCode: "",
    timeZone: null,
    referrer: "",
    isTester: false,
    isServiceProvider: false,
    isSubscribedToNewsLetter: false,
    twoStepSince: null,
    archivedAt: user.archivedAt ?? at,
    deletedAt: at,
  } satisfies Partial<User>);
}
