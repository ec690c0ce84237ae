import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import {
  Button,
  defineEmail,
  describeNextPayment,
  HelpNote,
  Paragraph,
  orNull,
} from "#api/messaging/emails/template.tsx";

/** Confirms that a subscription changes to another plan, now or with the next payment, or that it no longer will. */
export const planChanged = defineEmail({
  name: "plan-changed",
  sample: ({ at }) => ({
    /** Plans with their intervals. */
    fromPlan: "Professional, monthly",
    toPlan: "Plus+, monthly",
    /** Day of a planned change; null if the plan has changed. */
    startsAt: orNull(at),
    /** True if the plan stays `toPlan`, because the customer withdrew the planned change to `fromPlan`. */
    isWithdrawn: false,
    nextPayment: { amountCents: orNull(12_370), at },
  }),
  subject: ({ toPlan, startsAt, isWithdrawn }) => {
    const change = startsAt ? `changes to ${toPlan} on ${formatSellerDate(startsAt)}` : `has changed to ${toPlan}`;
    return `Your ${brand.productName} subscription ${isWithdrawn ? `stays on ${toPlan}` : change}`;
  },
  preview: ({ nextPayment }) => describeNextPayment(nextPayment),
  because: `the plan of your subscription at ${brand.name} was changed.`,
  heading: ({ startsAt, isWithdrawn }) =>
    isWithdrawn ? "Your plan stays the same" : startsAt ? "Your plan will change" : "Your plan has changed",
  body: ({ fromPlan, toPlan, startsAt, isWithdrawn, nextPayment }, { publicUrl }) => (
    <>
      <Paragraph>
        {isWithdrawn
          ? `Your ${brand.productName} subscription stays on ${toPlan}. The planned change to ${fromPlan} was cancelled.`
          : startsAt
            ? `Your ${brand.productName} subscription will change from ${fromPlan} to ${toPlan} on ${formatSellerDate(startsAt)}. Nothing changes until then.`
            : `Your ${brand.productName} subscription has changed from ${fromPlan} to ${toPlan}. If anything was charged, we'll send the tax invoice in a separate email.`}
      </Paragraph>
      <Paragraph>{describeNextPayment(nextPayment)} Your licence code and your devices stay the same.</Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Manage subscription</Button>
      <HelpNote when="you didn't change it" />
    </>
  ),
});
