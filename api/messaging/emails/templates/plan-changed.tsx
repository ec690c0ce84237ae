import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import {
  Button,
  defineEmail,
  describeNextPayment,
  HelpNote,
  type NextPayment,
  Paragraph,
} from "#api/messaging/emails/template.tsx";

interface PlanChangedData {
  readonly firstName: string;
  /** Plans with their intervals, such as `Professional, yearly`. */
  readonly fromPlan: string;
  readonly toPlan: string;
  /** Day of a planned change; null if the plan has changed. */
  readonly startsAt: Date | null;
  readonly nextPayment: NextPayment;
}

/** Confirms that a subscription changes to another plan, now or with the next payment. */
export const planChanged = defineEmail<PlanChangedData>({
  name: "plan-changed",
  sample: ({ firstName, at }) => ({
    firstName,
    fromPlan: "Professional, monthly",
    toPlan: "Plus+, monthly",
    startsAt: at,
    nextPayment: { amountCents: 12_370, at },
  }),
  subject: ({ toPlan, startsAt }) =>
    `Your ${brand.productName} subscription ${startsAt ? `changes to ${toPlan} on ${formatSellerDate(startsAt)}` : `has changed to ${toPlan}`}`,
  preview: ({ nextPayment }) => describeNextPayment(nextPayment),
  because: `You're receiving this email because the plan of your subscription at ${brand.name} was changed.`,
  heading: ({ startsAt }) => (startsAt ? "Your plan will change" : "Your plan has changed"),
  body: ({ fromPlan, toPlan, startsAt, nextPayment }, { publicUrl }) => (
    <>
      <Paragraph>
        {startsAt
          ? `Your ${brand.productName} subscription will change from ${fromPlan} to ${toPlan} on ${formatSellerDate(startsAt)}. Nothing changes until then.`
          : `Your ${brand.productName} subscription has changed from ${fromPlan} to ${toPlan}. If anything was charged, we'll send the tax invoice in a separate email.`}
      </Paragraph>
      <Paragraph>{describeNextPayment(nextPayment)} Your licence code and your devices stay the same.</Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Manage subscription</Button>
      <HelpNote when="you didn't change it" />
    </>
  ),
});
