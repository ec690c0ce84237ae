import { Button, Card, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { resendConfirmation } from "#web/access/accounts/email-confirmation.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { brand } from "#schema/brand.ts";
import { formatDate, formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { trialTerms } from "#schema/product-level.ts";
import {
  formatLevel,
  periodNames,
  type Product,
  calculateYearlySaving,
  groupByPlan,
} from "#web/billing/subscriptions/products.ts";
import type { NextStepKind, NextStepQuery } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";

/** Shows the most urgent thing to do, with the action that leads to it, or that there is nothing to do. */
export function NextStepCard({ step, children }: { step: NextStep | null; children?: ReactNode }) {
  const { title, text, action, isUrgent = false } = step ? texts[step.kind](step) : nothing;
  return (
    <Card
      component="section"
      aria-label="Next step"
      padding="lg"
      mb="lg"
      style={{ borderInlineStart: `4px solid var(${isUrgent ? "--xp-critical" : "--xp-brand"})` }}
    >
      <Group justify="space-between" gap="md">
        <div>
          {step && (
            <Text size="sm" fw={560} c={isUrgent ? "var(--xp-critical)" : "dimmed"}>
              Next step
            </Text>
          )}
          <Title order={2} size="h3" data-break="anywhere">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        {action && <StepAction action={action} />}
      </Group>
      {children}
    </Card>
  );
}

const nothing: Omit<NextStepText, "action"> & { action?: undefined } = {
  title: "Nothing to do",
  text: "Your account is up to date.",
};

function StepAction({ action }: Pick<NextStepText, "action">) {
  if ("to" in action)
    return (
      <Button component={Link} to={action.to}>
        {action.label}
      </Button>
    );
  if ("download" in action)
    return (
      <Button component="a" href={action.download} download>
        {action.label}
      </Button>
    );
  return <BusyButton onPress={() => resendConfirmation(action.resendTo)}>{action.label}</BusyButton>;
}

export type NextStep = NonNullable<NextStepQuery["nextStep"]>;

/** What leads to the step: a page, the installer, or the confirmation of an address sent again. */
type NextStepAction = { label: string } & ({ to: string } | { download: string } | { resendTo: string });

interface NextStepText {
  title: string;
  text: string;
  action: NextStepAction;
  /** True for money that is overdue. */
  isUrgent?: boolean;
}

const billing = paths.manageSubscription.href();
const installer = { label: "Download Add-In", download: brand.installerPath };

const texts: Readonly<Record<NextStepKind, (step: NextStep) => NextStepText>> = {
  UPDATE_CARD: (step) => ({
    title: `Pay ${formatCents(step)}`,
    text: `We couldn't take the payment that was due on ${formatDay(step)}. We charge it as soon as you update your card.`,
    action: { label: "Update Card", to: paths.managePaymentDetails.href() },
    isUrgent: true,
  }),
  PAY_OVERDUE_INVOICE: (step) => ({
    title: `Pay ${formatCents(step)}, overdue since ${formatDay(step)}`,
    text: `Invoice ${step.invoiceNumber} is not paid yet.`,
    action: { label: "Pay Invoice", to: paths.taxInvoices.href() },
    isUrgent: true,
  }),
  CONTACT_US: () => ({
    title: "Your licence is suspended",
    text: "Your bank is disputing a payment. Contact us, so that we can solve this.",
    action: { label: "Contact", to: paths.contactUs.href() },
    isUrgent: true,
  }),
  CONFIRM_EMAIL: (step) => ({
    title: `Confirm ${step.email}`,
    text: "Open the link in the email that we sent to this address. Until then, sign in with your old address.",
    action: { label: "Re-send Email", resendTo: step.confirmationHandle ?? "" },
  }),
  START_TRIAL: () => ({
    title: "Try Professional for free",
    text: `The trial lasts ${trialTerms.days} days, and you don't need a card.`,
    action: { label: "Trial Professional", to: paths.trial.href() },
  }),
  INSTALL_ADD_IN: (step) => ({
    title: "Install the add-in",
    text: `Download version ${step.version}, and enter your licence code when you first open it.`,
    action: installer,
  }),
  SUBSCRIBE: (step) => ({
    title: step.at ? `Subscribe before your trial ends on ${formatDate(step.at)}` : "Subscribe to convert schedules",
    text: describePrices(step.products),
    action: { label: "Subscribe", to: getSubscribePath(step.products) },
  }),
  PAY_INVOICE: (step) => ({
    title: step.at ? `Pay ${formatCents(step)} by ${formatDay(step)}` : `Pay ${formatCents(step)}`,
    text: `Invoice ${step.invoiceNumber} is open.`,
    action: { label: "Pay Invoice", to: paths.taxInvoices.href() },
  }),
  END_PAUSE: (step) => ({
    title: `Your subscription is paused until ${formatDay(step)}`,
    text: "The add-in works again from that day. You can resume earlier.",
    action: { label: "Resume", to: billing },
  }),
  RESUME_SUBSCRIPTION: (step) => ({
    title: `Your subscription ends on ${formatDay(step)}`,
    text: "Resume it before that day to keep your licence and your devices.",
    action: { label: "Resume", to: billing },
  }),
  REVIEW_CHANGE: (step) => ({
    title: `Your subscription changes on ${formatDay(step)}`,
    text: `From then on, you pay ${step.amountCents === null ? "the new price" : formatCents(step)} for ${step.planPrice ? formatLevel(step.planPrice) : "your plan"}.`,
    action: { label: "Review Change", to: billing },
  }),
  UPDATE_ADD_IN: (step) => ({
    title: `Version ${step.version} of the add-in is available`,
    text: "One of your devices has an older version.",
    action: installer,
  }),
  CONVERT_SCHEDULE: () => ({
    title: "Convert your first schedule",
    text: "The add-in is ready. The tutorials show each step.",
    action: { label: "Tutorials", to: paths.tutorials.href() },
  }),
};

const formatCents = ({ amountCents }: NextStep) => (amountCents === null ? "your invoice" : formatAud(amountCents));
const formatDay = ({ at }: NextStep) => (at ? formatSellerDate(at) : "");

/** Formats a plan's prices: `Professional costs A$164.95 a month or A$1,566.40 a year, incl. GST. Yearly saves 20%.` */
function describePrices(products: readonly Product[]): string {
  const [plan] = groupByPlan(products);
  if (!plan) return "";
  const prices = plan.products.map(
    ({ planPrice, totalCents }) => `${formatAud(totalCents)} a ${periodNames[planPrice.interval]}`,
  );
  const gst = products.some(({ gstCents }) => gstCents > 0) ? ", incl. GST" : "";
  const percent = calculateYearlySaving(plan);
  return `${plan.name} costs ${prices.join(" or ")}${gst}.${percent > 0 ? ` Yearly saves ${percent}%.` : ""}`;
}

function getSubscribePath(products: readonly Product[]): string {
  const yearly = products.find(({ planPrice }) => planPrice.interval === "YEARLY") ?? products[0];
  return yearly ? paths.manageSubscriptionTo.href({ productId: yearly.id }) : billing;
}
