import { Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import type { SubscriptionFieldsFragment } from "#web/generated/graphql.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { formatSellerDate } from "#schema/dates.ts";
import { MAX_PAUSE_MONTHS } from "#schema/days.ts";
import { formatAud } from "#schema/money.ts";
import { Callout } from "#web/ui/callout.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { CurrentCard } from "./payment-texts.tsx";
import { canPause, PauseOffer } from "./pause-offer.tsx";
import { formatLevel } from "./products.ts";
import { useSubscriptionActions } from "./use-subscription-actions.ts";
import { TaxInvoices } from "#web/billing/invoices/tax-invoices-table.tsx";

/** Most invoices shown on Billing. The page Invoices lists all. */
const MAX_INVOICES = 3;

const PaymentsTable = lazyPart(() => import("./payments-table.tsx"), "message");

export type ActiveSubscription = NonNullable<SubscriptionFieldsFragment["subscription"]>;

const states = {
  active: { label: "Active", color: "spruce", tone: "calm" },
  ending: { label: "Cancelled", color: "marigold", tone: "notice" },
  paused: { label: "Paused", color: "marigold", tone: "notice" },
  pastDue: { label: "Payment overdue", color: "red", tone: "critical" },
  disputed: { label: "Payment disputed", color: "red", tone: "critical" },
} as const;
type State = keyof typeof states;

interface SubscriptionOverviewProps {
  status: SubscriptionFieldsFragment;
  subscription: ActiveSubscription;
}

/** Shows a running subscription: plan, next payment, card, invoices, billing details, and how to pause or cancel. */
export default function SubscriptionOverview({ status, subscription }: SubscriptionOverviewProps) {
  const state = getState(subscription);
  const { isCancelledAtPeriodEnd: isCancelled } = subscription;
  const actions = useSubscriptionActions();
  const openDialog = useOpenDialog();
  const cancel = () =>
    openDialog(() => import("./cancel-dialog.tsx"), {
      subscription,
      products: status.products,
      onConfirm: actions.cancel,
      onPause: actions.pause,
    });

  return (
    <>
      <Callout tone={states[state].tone}>
        <p>{status.message}</p>
      </Callout>
      <SimpleGrid minColWidth="min(100%, 16rem)" autoFlow="auto-fit" spacing="lg" my="lg">
        <Plan subscription={subscription} state={state} actions={actions} />
        <Payment status={status} state={isCancelled ? "ending" : state} subscription={subscription} />
        <Region
          name="Card"
          actions={
            <Button
              component={Link}
              size="sm"
              variant={state === "pastDue" ? "filled" : "default"}
              to={paths.managePaymentDetails.href()}
            >
              Change Payment Details
            </Button>
          }
        >
          <CurrentCard subscription={subscription} fz="lg" lh={1.3} />
        </Region>
      </SimpleGrid>
      <TaxInvoices
        title="Latest invoices"
        most={MAX_INVOICES}
        actions={
          <Button component={Link} to={paths.taxInvoices.href()} variant="default" size="sm">
            {paths.taxInvoices.name}
          </Button>
        }
      />
      <Suspense fallback={null}>
        <PaymentsTable />
      </Suspense>
      {canPause(subscription) && (
        <Section title="Pause">
          <PauseOffer
            isFramed={false}
            periodEndsAt={subscription.currentPeriodEndsAt}
            openLabel="Choose a date"
            onPause={actions.pause}
          >
            Nothing is charged while your subscription is paused, for up to {MAX_PAUSE_MONTHS} months.
          </PauseOffer>
        </Section>
      )}
      {!isCancelled && (
        <Section title="Cancel">
          <Group justify="space-between" gap="sm">
            <Text size="sm" c="dimmed">
              We show you what ends and when before you decide.
            </Text>
            <Button size="sm" variant="light" color="red" onClick={cancel}>
              Cancel Subscription
            </Button>
          </Group>
        </Section>
      )}
    </>
  );
}

function getState({ isPastDue, isDisputed, pausedUntil, isCancelledAtPeriodEnd }: ActiveSubscription): State {
  if (pausedUntil) return "paused";
  if (isPastDue) return "pastDue";
  if (isDisputed) return "disputed";
  return isCancelledAtPeriodEnd ? "ending" : "active";
}

interface PlanProps {
  subscription: ActiveSubscription;
  state: State;
  actions: ReturnType<typeof useSubscriptionActions>;
}

function Plan({ subscription, state, actions }: PlanProps) {
  const {
    planPrice,
    nextPlanPrice,
    pausedUntil,
    currentPeriodEndsAt,
    isCancelledAtPeriodEnd: isCancelled,
  } = subscription;
  const { color, label } = states[state];
  return (
    <Card component="section" aria-label="Plan" padding="lg">
      <Stack gap="xs" h="100%" align="flex-start">
        <Group justify="space-between" gap="xs" w="100%">
          <Text size="sm" lh={1.3} c="dimmed">
            Plan
          </Text>
          {/* Is taller than the line, which would move the plan below the facts of the other cards. */}
          <Badge color={color} my={-4}>
            {label}
          </Badge>
        </Group>
        <Title order={2} fz="lg" fw={600} lh={1.3} data-break="anywhere">
          {formatLevel(planPrice)}
        </Title>
        {pausedUntil && (
          <div>
            <Detail>Paused until</Detail>
            <Text>
              <Moment at={pausedUntil} as={formatSellerDate} />
            </Text>
            <Detail>Your licence can't be used until then</Detail>
          </div>
        )}
        {nextPlanPrice && !isCancelled && (
          <div>
            <Detail>Planned change</Detail>
            <Text>{formatLevel(nextPlanPrice)}</Text>
            <Detail>
              from <Moment at={currentPeriodEndsAt} as={formatSellerDate} />, with the next payment
            </Detail>
          </div>
        )}
        <Group gap="xs" mt="auto" pt="xs">
          {pausedUntil && (
            <BusyButton size="sm" onPress={actions.endPause}>
              Resume Now
            </BusyButton>
          )}
          {isCancelled && (
            <BusyButton size="sm" variant={state === "ending" ? "filled" : "default"} onPress={actions.resume}>
              {state === "paused" ? "Keep Subscription" : "Resume Subscription"}
            </BusyButton>
          )}
          {nextPlanPrice && !isCancelled && (
            <BusyButton variant="default" size="sm" onPress={actions.keep}>
              Keep current plan
            </BusyButton>
          )}
          {(state === "active" || (state === "disputed" && !isCancelled)) && (
            <Button component={Link} size="sm" variant="default" to={paths.changeSubscription.href()}>
              Change Subscription
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

interface PaymentProps {
  status: SubscriptionFieldsFragment;
  state: State;
  subscription: ActiveSubscription;
}

function Payment({ status: { nextChargeCents }, state, subscription }: PaymentProps) {
  const periodEnd = <Moment at={subscription.currentPeriodEndsAt} as={formatSellerDate} />;
  if (state === "ending" || nextChargeCents === null)
    return (
      <Region name={state === "ending" ? "Ends on" : "Runs until"}>
        <Main>{periodEnd}</Main>
        {state === "ending" && <Detail>No further payments</Detail>}
      </Region>
    );
  if (state === "pastDue")
    return (
      <Region name="Overdue payment">
        <Main>{formatAud(nextChargeCents)}</Main>
        <Detail>charged when you update your payment details</Detail>
      </Region>
    );
  return (
    <Region name="Next payment">
      <Main>{formatAud(nextChargeCents)}</Main>
      <Detail>on {periodEnd}</Detail>
    </Region>
  );
}

/** A card with one fact and what changes it. */
function Region({ name, actions, children }: { name: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Card component="section" aria-label={name} padding="lg">
      <Stack gap="xs" h="100%" align="flex-start">
        <Title order={2} fz="sm" fw={400} lh={1.3} c="dimmed">
          {name}
        </Title>
        {children}
        {actions && (
          <Group mt="auto" pt="xs">
            {actions}
          </Group>
        )}
      </Stack>
    </Card>
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
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
