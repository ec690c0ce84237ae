import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { ACCEPTED_DAYS } from "#schema/leaks.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { licenceQuestion } from "#api/messaging/emails/templates/licence-question.tsx";
import { licenceReissued } from "#api/messaging/emails/templates/licence-reissued.tsx";
import { endLeasesOfLicences } from "#api/licensing/leases/release-lease.ts";
import { assertCanHaveLicences } from "#api/licensing/licences/add-licence.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { aboutLicence, lockUserLicence } from "#api/licensing/licences/lock-licences.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";

@Resolver()
export class LeakResolver {
  @Allow("admin", { roles: ["support"], harm: "others", scope: "licences:write" })
  @Mutation(() => Licence, {
    description:
      "Asks a customer by email whether the use of a licence in the list `LEAKED_LICENCES` is theirs. At most once a day.",
  })
  async askAboutLicenceUse(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return askAboutLicenceUse(context, userId, licenceId);
  }

  @Allow("admin", { roles: ["support"], harm: "others", scope: "licences:write" })
  @Mutation(() => Licence, {
    description: `Takes a licence off the list \`LEAKED_LICENCES\` for ${ACCEPTED_DAYS} days, because the customer explained its use.`,
  })
  async acceptLicenceUse(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return acceptLicenceUse(context, userId, licenceId);
  }

  @Allow("admin", { roles: ["support"], harm: "money" })
  @Mutation(() => Licence, {
    description:
      "Replaces the code of a licence and emails the new one to the customer. The devices stay and need the new code; the old one gets `LICENCE_NOT_FOUND`. At most once an hour.",
  })
  async reissueLicenceCode(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return reissueLicenceCode(context, userId, licenceId);
  }
}

/**
 * Asks a customer by email whether the use of a listed licence is theirs.
 * @throws AppError NOT_FOUND for a licence of another user; CONFLICT if the licence isn't listed, or the customer was
 * asked within a day or has no confirmed address
 */
async function askAboutLicenceUse(context: Context, userId: string, licenceId: string): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, userId, licenceId);
    if (!licence.user.emailConfirmedAt || licence.user.archivedAt)
      throw conflict("This customer's account is closed or not confirmed. Call them instead.");
    const now = context.clock.now();
    const [measures] = await query<{ networks: number; machines: number }>(
      em,
      `update leak_measurements set asked_at = $2
        where licence_id = $1 and listed_at is not null and (asked_at is null or asked_at <= $3)
       returning networks, machines`,
      [licence.id, now, addMilliseconds(now, -DAY)],
    );
    if (!measures) throw conflict("The customer was asked within the last day, or the licence isn't listed any more.");
    await recordChange(context, em, { action: "ask-about-licence-use", ...aboutLicence(licence) });
    await emailUser(context, em, licence.user, licenceQuestion, { ...describe(licence), ...measures });
    return licence;
  });
}

/**
 * Accepts the use of a listed licence, because the customer explained it: for {@link ACCEPTED_DAYS} its requests aren't
 * measured.
 * @throws AppError NOT_FOUND for a licence of another user; CONFLICT if the licence isn't listed
 */
async function acceptLicenceUse(context: Context, userId: string, licenceId: string): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, userId, licenceId);
    const accepted = await query(
      em,
      `update leak_measurements set listed_at = null, counted_from = $2
        where licence_id = $1 and listed_at is not null returning licence_id`,
      [licence.id, addMilliseconds(context.clock.now(), ACCEPTED_DAYS * DAY)],
    );
    if (accepted.length === 0) throw conflict("The licence isn't listed any more.");
    await recordChange(context, em, { action: "accept-licence-use", ...aboutLicence(licence) });
    return licence;
  });
}

/**
 * Replaces the code of a licence and emails the new one to the customer. The devices stay with the licence and keep their
 * tokens, but need the new code; the old one gets LICENCE_NOT_FOUND from now on, and seats in use end. Of concurrent
 * requests, one succeeds.
 * @throws AppError NOT_FOUND for a licence of another user; CONFLICT for a deactivated licence, an owner who can't have
 * licences, and a code that was re-issued within the hour
 */
export async function reissueLicenceCode(context: Context, userId: string, licenceId: string): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, userId, licenceId);
    assertCanHaveLicences(licence.user);
    if (licence.revokedAt) throw conflict("This licence is deactivated. Reinstate it first.");
    const now = context.clock.now();
    const begun = await query(
      em,
      `insert into leak_measurements as k (licence_id, networks, machines, permitted_machines, hours, clones,
                                           measured_at, counted_from, reissued_at)
       values ($1, 0, 0, $3, 0, 0, $2, $2, $2)
       on conflict (licence_id) do update set listed_at = null, counted_from = $2, reissued_at = $2
         where k.reissued_at is null or k.reissued_at <= $4 returning licence_id`,
      [licence.id, now, licence.numberOfMachines, addMilliseconds(now, -HOUR)],
    );
    if (begun.length === 0) throw conflict("The code of this licence was re-issued within the last hour.");
    licence.licenceCode = generateLicenceCode();
    recordLicenceEvent(context, em, { kind: "reissue", licenceId: licence.id });
    await endLeasesOfLicences(em, [licence.id], now);
    // Hardware that alternated with the old code is no sign that the new one is used elsewhere.
    await query(
      em,
      `update devices set alternations = 0, alternated_at = null
        where id in (select id from devices where licence_id = $1 and alternations > 0 order by id for no key update)`,
      [licence.id],
    );
    await recordChange(context, em, { action: "reissue-licence-code", ...aboutLicence(licence) });
    await em.flush();
    await recordLicenceWebhooks(context, em, "licence.changed", [licence]);
    if (licence.user.emailConfirmedAt)
      await emailUser(context, em, licence.user, licenceReissued, {
        ...describe(licence),
        licenceCode: licence.licenceCode,
      });
    return licence;
  });
}

const describe = ({ productLevel, supportCode }: Licence) => ({
  subscriptionLevel: findLabel(productLevels, productLevel),
  supportCode,
});
