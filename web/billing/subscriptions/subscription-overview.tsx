import { Badge, Button, Card, DataList, Divider, Flex, Group, type MantineColor, Text, Title } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import type { SubscriptionFieldsFragment } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Callout } from "#web/ui/callout.tsx";
import { CancelDialog, type CancellationAnswer } from "./cancel-dialog.tsx";
import { CurrentCard } from "./current-card.tsx";
import { Fact } from "./plan-facts.tsx";
import { formatLevel } from "./products.ts";
import { useSubscriptionActions } from "./use-subscription-actions.ts";
import { Moment } from "#web/ui/moment.tsx";

const PaymentsTable = lazyPart(() => import("./payments-table.tsx"), "message");

export type ActiveSubscription = NonNullable<SubscriptionFieldsFragment["subscription"]>;
type State = "active" | "ending" | "paused" | "pastDue";

const badges: Record<State, { label: string; color: MantineColor }> = {
  active: { label: "Active", color: "spruce" },
  ending: { label: "Cancelled", color: "marigold" },
  paused: { label: "Paused", color: "marigold" },
  pastDue: { label: "Payment overdue", color: "red" },
};
const tones = { active: "calm", ending: "notice", paused: "notice", pastDue: "critical" } as const;

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
  const actions = useSubscriptionActions();
  const [isCancelling, setCancelling] = useState(false);
  const periodEnd = <Moment at={subscription.currentPeriodEndsAt} as={formatSellerDate} />;

  async function cancel(answer: CancellationAnswer) {
    await actions.cancel(answer);
    setCancelling(false);
  }

  async function pause(until: string) {
    if (await actions.pause(until)) setCancelling(false);
  }

  return (
    <>
      <Callout tone={tones[state]}>
        <p>{message}</p>
      </Callout>
      <Card component="section" withBorder radius="lg" shadow="sm" padding="lg" mt="lg" aria-label="Your subscription">
        <Group justify="space-between" gap="sm">
          <Title order={2} style={{ overflowWrap: "anywhere" }}>
            {formatLevel(planPrice)}
          </Title>
          <Badge color={badge.color}>{badge.label}</Badge>
        </Group>
        <DataList orientation="vertical" gap="md" my="lg" style={{ flexFlow: "row wrap" }}>
          {subscription.pausedUntil && (
            <Fact name="Paused until">
              <Main>
                <Moment at={subscription.pausedUntil} as={formatSellerDate} />
              </Main>
              <Detail>Your licence can't be used until then</Detail>
            </Fact>
          )}
          <Payment status={status} state={isCancelled ? "ending" : state} periodEnd={periodEnd} />
          <Fact name="Card">
            <CurrentCard subscription={subscription} />
          </Fact>
          {nextPlanPrice && !isCancelled && (
            <Fact name="Planned change">
              <Main>{formatLevel(nextPlanPrice)}</Main>
              <Detail>from {periodEnd}, with the next payment</Detail>
              <BusyButton variant="default" size="sm" onPress={actions.keep}>
                Keep current plan
              </BusyButton>
            </Fact>
          )}
        </DataList>
        <Card.Section>
          <Divider />
        </Card.Section>
        <Flex direction={{ base: "column", xs: "row" }} wrap="wrap" gap="xs" pt="lg">
          {subscription.pausedUntil && <BusyButton onPress={actions.endPause}>Resume Now</BusyButton>}
          {isCancelled && (
            <BusyButton variant={state === "ending" ? "filled" : "default"} onPress={actions.resume}>
              {state === "paused" ? "Keep Subscription" : "Resume Subscription"}
            </BusyButton>
          )}
          {state === "active" && (
            <Button component={Link} to={paths.changeSubscription.href()}>
              Change Subscription
            </Button>
          )}
          <Button
            component={Link}
            variant={state === "pastDue" ? "filled" : "default"}
            to={paths.managePaymentDetails.href()}
          >
            Change Payment Details
          </Button>
          {!isCancelled && (
            <Button variant="subtle" color="red" ml={{ sm: "auto" }} onClick={() => setCancelling(true)}>
              Cancel Subscription
            </Button>
          )}
        </Flex>
      </Card>
      <Suspense fallback={<LoadingBlock label="Loading your payments" />}>
        <PaymentsTable />
      </Suspense>
      <CancelDialog
        opened={isCancelling}
        subscription={subscription}
        products={status.products}
        onConfirm={cancel}
        onPause={pause}
        onCancel={() => setCancelling(false)}
      />
    </>
  );
}

function getState({ isPastDue, pausedUntil, isCancelledAtPeriodEnd }: ActiveSubscription): State {
  if (pausedUntil) return "paused";
  if (isPastDue) return "pastDue";
  return isCancelledAtPeriodEnd ? "ending" : "active";
}

interface PaymentProps {
  status: SubscriptionFieldsFragment;
  state: State;
  periodEnd: ReactNode;
}

function Payment({ status, state, periodEnd }: PaymentProps) {
  const { nextChargeCents } = status;
  if (state === "ending" || nextChargeCents === null)
    return (
      <Fact name={state === "ending" ? "Ends on" : "Runs until"}>
        <Main>{periodEnd}</Main>
        {state === "ending" && <Detail>No further payments</Detail>}
      </Fact>
    );
  if (state === "pastDue")
    return (
      <Fact name="Overdue payment">
        <Main>{formatAud(nextChargeCents)}</Main>
        <Detail>charged when you update your payment details</Detail>
      </Fact>
    );
  return (
    <Fact name="Next payment">
      <Main>{formatAud(nextChargeCents)}</Main>
      <Detail>on {periodEnd}</Detail>
    </Fact>
  );
}

function Main({ children }: { children: ReactNode }) {
  return (
    <Text component="strong" fz="lg" fw={600} lh={1.3}>
      {children}
    </Text>
  );
}

function Detail({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}
