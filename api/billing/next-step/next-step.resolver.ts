import { Ctx, Query, Resolver } from "type-graphql";
import type { ValueOf } from "#schema/closed-list.ts";
import { nextSteps } from "#schema/next-step.ts";
import { findPlanPrice, PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { SubscriptionProduct } from "#api/billing/subscriptions/subscription.types.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { type NextStep, chooseNextStep, type NextStepFacts } from "./next-step.ts";
import { SoftwareStage } from "#schema/software.ts";
import { MemberType } from "#schema/user.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { getSubscriptionStatus } from "#api/billing/subscriptions/subscription-status.ts";
import { isActiveLicenceSql } from "#api/licensing/licences/licence-status.ts";
import { checkTrial } from "#api/licensing/trials/check-trial.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { findOfferedBuild } from "#api/releases/software/find-build.ts";
import { compareVersions, parseVersion } from "#api/releases/software/version.ts";
import { getRow } from "#api/platform/database/database.ts";

export const NextStepType = createType("NextStep", "customer", "What the caller should do next.", {
  kind: field.choice<ValueOf<typeof nextSteps>>(nextSteps),
  amountCents: fieldOrNull.integer("Amount to pay, or of the next payment after a change, in AUD cents including GST."),
  at: fieldOrNull.moment(
    "When the payment is or was due, or when the trial, the pause, the subscription or the price ends, in UTC.",
  ),
  invoiceNumber: fieldOrNull.text("Number of the invoice to pay."),
  email: fieldOrNull.text("The new email address to confirm."),
  confirmationHandle: fieldOrNull.text("Handle for sending the confirmation of `email` again."),
  version: fieldOrNull.text("Version of the add-in to install."),
  planPrice: fieldOrNull.object(() => PlanPrice, "The plan price from the next payment.", {
    access: Scope("billing:read"),
  }),
  products: field.list(() => SubscriptionProduct, "Prices of the plan to subscribe to.", {
    access: Scope("billing:read"),
  }),
});
export type NextStepType = InstanceType<typeof NextStepType>;

@Resolver()
export class NextStepResolver {
  @Allow("customer", { scope: "session" })
  @Query(() => NextStepType, {
    nullable: true,
    description: "The most urgent thing the caller should do. Null if there is nothing to do.",
  })
  async nextStep(@Ctx() context: Context): Promise<NextStepType | null> {
    const step = await findNextStep(context);
    if (!step) return null;
    const planPrice = step.planPriceId === null ? null : await findPlanPrice(context.em, step.planPriceId);
    return { ...step, planPrice };
  }
}

/** Time for which a licence without a conversion is new, and a device without a check is in use. */
const RECENT_MS = 30 * DAY;

/**
 * Returns the caller's next step, or null if there is nothing to do.
 * @throws AppError NOT_FOUND if the account no longer exists
 */
async function findNextStep(context: Context): Promise<NextStep | null> {
  const user = await getRow(context.em, User, getCallerId(context));
  const isRegular = user.memberType === MemberType.Regular;
  const billing = isRegular ? await getSubscriptionStatus(context) : null;
  const trial = isRegular ? await checkTrial(context) : null;
  const { subscription = null, products = [], nextChargeCents = null } = billing ?? {};
  const flagship = products.find(({ planPrice }) => !planPrice.plan.retiring);
  const facts: NextStepFacts = {
    isRegular,
    pendingEmail:
      user.pendingEmail !== null && user.emailChangeHandle !== null
        ? { email: user.pendingEmail, handle: user.emailChangeHandle }
        : null,
    subscription,
    nextChargeCents,
    invoice: await findUnpaidInvoice(context, user.id),
    licences: await listLicencesInForce(context, user.id),
    canStartTrial: trial !== null && !trial.hasCompletedTrial && !trial.hasActiveSubscription,
    trialEndsAt: trial && trial.daysLeft !== null && trial.licence ? trial.licence.expiresAt : null,
    products: products.filter(({ planPrice }) => planPrice.plan === flagship?.planPrice.plan),
    ...(await compareWithOffer(context, user.id)),
  };
  return chooseNextStep(facts, context.clock.now());
}

async function findUnpaidInvoice({ em }: Context, userId: string): Promise<NextStepFacts["invoice"]> {
  const found = await em.find(
    ManualInvoice,
    { user: userId, status: "open" },
    { populate: ["taxInvoice"], orderBy: { dueAt: "asc", id: "asc" } },
  );
  const first = found.find((invoice) => getBalanceCents(invoice) > 0);
  if (!first?.taxInvoice) return null;
  return { number: first.taxInvoice.number, dueAt: first.dueAt, balanceCents: getBalanceCents(first) };
}

async function listLicencesInForce({ pool, clock }: Context, userId: string): Promise<NextStepFacts["licences"]> {
  const { rows } = await pool.query<NextStepFacts["licences"][number]>(
    `select l.product_level as "productLevel", count(d.id)::int as "deviceCount",
            exists (select from licences used where used.user_id = $1 and used.usage_count > 0) as "hasConverted",
            l.created_at > $3 as "isNew"
       from licences l left join devices d on d.licence_id = l.id and d.freed_at is null
      where l.user_id = $1 and ${isActiveLicenceSql("$2")}
      group by l.id`,
    [userId, clock.now(), addMilliseconds(clock.now(), -RECENT_MS)],
  );
  return rows;
}

/** Compares the version of the add-in on offer with the last one of each device that was in use lately. */
async function compareWithOffer(
  context: Context,
  userId: string,
): Promise<Pick<NextStepFacts, "version" | "hasOldVersion">> {
  const { pool, clock } = context;
  const build = await findOfferedBuild(context, SoftwareStage.Production);
  if (!build) return { version: null, hasOldVersion: false };
  // The last event is at most a run of an hour older than the device's last request. The bounds limit the partitions read.
  const { rows } = await pool.query<{ version: string }>(
    `select distinct e.add_in_version as version
       from licences l join devices d on d.licence_id = l.id and d.freed_at is null
       cross join lateral (
         select e.add_in_version from licence_events e
          where e.licence_id = l.id and e.device_id = d.id and e.add_in_version is not null
            and e.at between d.last_seen_at - interval '1 day' and d.last_seen_at + interval '1 day'
          order by e.at desc limit 1) e
      where l.user_id = $1 and ${isActiveLicenceSql("$2")} and d.last_seen_at > $3`,
    [userId, clock.now(), addMilliseconds(clock.now(), -RECENT_MS)],
  );
  const isOld = (version: string) => {
    const parts = parseVersion(version);
    return parts !== null && compareVersions(parts, build.versionParts) < 0;
  };
  return { version: build.version, hasOldVersion: rows.some(({ version }) => isOld(version)) };
}
