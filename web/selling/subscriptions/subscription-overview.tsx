import { Badge, type MantineColor } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { paths } from "#web/platform/paths.ts";
import {
  type SubscriptionFieldsFragment,
  SubscriptionStatusDocument,
  useCancelSubscriptionMutation,
  useKeepPresentPlanMutation,
  useResumeSubscriptionMutation,
} from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { notify } from "#web/platform/notifications.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { CurrentCard } from "./current-card.tsx";
import { formatLevel } from "./products.ts";
import classes from "./subscription-overview.module.css";

export type ActiveSubscription = NonNullable<SubscriptionFieldsFragment["subscription"]>;
type State = "active" | "ending" | "pastDue";

const badges: Record<State, { label: string; color: MantineColor }> = {
  active: { label: "Active", color: "spruce" },
  ending: { label: "Cancelled", color: "marigold" },
  pastDue: { label: "Payment overdue", color: "red" },
};
const tones = { active: "calm", ending: "notice", pastDue: "critical" } as const;

export interface SubscriptionOverviewProps {
  status: SubscriptionFieldsFragment;
  subscription: ActiveSubscription;
  message: string;
}

/** Shows a running subscription and its actions. */
export default function SubscriptionOverview({ status, subscription, message }: SubscriptionOverviewProps) {
  const state = getState(subscription);
  const { planPrice, nextPlanPrice, isCancelledAtPeriodEnd: isCancelled } = subscription;
  const badge = badges[state];
  const actions = useActions();
  const [isCancelling, setCancelling] = useState(false);
  const periodEnd = formatDate(subscription.currentPeriodEndsAt, brand.timeZone);

  async function cancel() {
    await actions.cancel();
    setCancelling(false);
  }

  return (
    <>
      <Callout tone={tones[state]}>
        <p>{message}</p>
      </Callout>
      <section className={classes.card} aria-label="Your subscription">
        <div className={classes.head}>
          <h2>{formatLevel(planPrice)}</h2>
          <Badge color={badge.color}>{badge.label}</Badge>
        </div>
        <dl className={classes.facts}>
          <Payment status={status} state={state} periodEnd={periodEnd} />
          <Fact name="Card">
            <CurrentCard subscription={subscription} />
          </Fact>
          {nextPlanPrice && !isCancelled && (
            <Fact name="Planned change">
              <strong>{formatLevel(nextPlanPrice)}</strong>
              <span>from {periodEnd}, with the next payment</span>
              <BusyButton variant="default" size="sm" className={classes.keep} onPress={actions.keep}>
                Keep current plan
              </BusyButton>
            </Fact>
          )}
        </dl>
        <div className={classes.actions}>
          {isCancelled && (
            <BusyButton variant={state === "ending" ? "filled" : "default"} onPress={actions.resume}>
              Resume Subscription
            </BusyButton>
          )}
          {state === "active" && <LinkButton to={paths.changeSubscription.href()}>Change Subscription</LinkButton>}
          <LinkButton variant={state === "pastDue" ? "filled" : "default"} to={paths.managePaymentDetails.href()}>
            Change Payment Details
          </LinkButton>
          {!isCancelled && (
            <Button className={classes.leave} variant="subtle" color="red" onClick={() => setCancelling(true)}>
              Cancel Subscription
            </Button>
          )}
        </div>
      </section>
      <ConfirmDialog
        opened={isCancelling}
        title="Cancel Subscription"
        danger
        onConfirm={cancel}
        onCancel={() => setCancelling(false)}
      >
        <p className={classes.question}>Are you sure you wish to cancel your subscription?</p>
        <p>
          {state === "pastDue"
            ? `Your subscription will not renew. It ends on ${periodEnd} at the latest. Nothing is refunded.`
            : `Your subscription and licence run until ${periodEnd}. You will not be charged again, and nothing is refunded. You can resume your subscription until then.`}
        </p>
      </ConfirmDialog>
    </>
  );
}

function getState({ isPastDue, isCancelledAtPeriodEnd }: ActiveSubscription): State {
  if (isPastDue) return "pastDue";
  return isCancelledAtPeriodEnd ? "ending" : "active";
}

interface PaymentProps {
  status: SubscriptionFieldsFragment;
  state: State;
  periodEnd: string;
}

function Payment({ status, state, periodEnd }: PaymentProps) {
  const { nextChargeCents } = status;
  if (state === "ending" || nextChargeCents === null)
    return (
      <Fact name={state === "ending" ? "Ends on" : "Runs until"}>
        <strong>{periodEnd}</strong>
        {state === "ending" && <span>No further payments</span>}
      </Fact>
    );
  if (state === "pastDue")
    return (
      <Fact name="Overdue payment">
        <strong>{formatAud(nextChargeCents)}</strong>
        <span>charged when you update your payment details</span>
      </Fact>
    );
  return (
    <Fact name="Next payment">
      <strong>{formatAud(nextChargeCents)}</strong>
      <span>on {periodEnd}</span>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Returns the actions for a running subscription. Each shows a notification when it succeeds or fails. */
function useActions() {
  const [cancel] = useCancelSubscriptionMutation({
    update: (cache, { data }) => {
      if (data)
        cache.writeQuery({ query: SubscriptionStatusDocument, data: { subscriptionStatus: data.cancelSubscription } });
    },
  });
  const [resume] = useResumeSubscriptionMutation({
    update: (cache, { data }) => {
      if (data)
        cache.writeQuery({ query: SubscriptionStatusDocument, data: { subscriptionStatus: data.resumeSubscription } });
    },
  });
  const [keep] = useKeepPresentPlanMutation({
    update: (cache, { data }) => {
      if (data)
        cache.writeQuery({ query: SubscriptionStatusDocument, data: { subscriptionStatus: data.keepPresentPlan } });
    },
  });
  const runAndNotify = async (run: () => Promise<unknown>, done: string, failed: string) => {
    notify.clearErrors();
    try {
      await run();
      notify.success(done);
    } catch (error) {
      notify.failure(error, failed);
    }
  };
  return {
    cancel: () => runAndNotify(() => cancel(), "You have successfully unsubscribed.", "Unable to unsubscribe."),
    resume: () =>
      runAndNotify(() => resume(), "Your subscription has been resumed.", "Unable to resume the subscription."),
    keep: () =>
      runAndNotify(() => keep(), "Your planned change has been cancelled.", "Unable to change the subscription."),
  };
}
