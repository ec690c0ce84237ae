import { Alert, Button, Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "react-router-dom";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { usePaymentsQuery, useSubscriptionStatusQuery } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { CurrentCard, NextRetry } from "./payment-texts.tsx";
import { formatLevel } from "./products.ts";
import type { ActiveSubscription } from "./subscription-overview.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** Shows a customer's subscription: plan, next payment, card, and links to change them. */
export function SubscriptionCard() {
  const query = useSubscriptionStatusQuery();
  const status = query.data?.subscriptionStatus;
  if (query.error && !status) return <Loaded query={query} failure="Unable to fetch your subscription status." />;
  if (!status) return <Skeleton role="img" height={220} radius="lg" aria-label="Loading your subscription" />;
  const { subscription, nextChargeCents } = status;
  if (!subscription) return null;
  return (
    <Card component="section" aria-label="Subscription" padding="lg">
      <Stack gap="md" h="100%">
        <div>
          <Title order={2} size="h3">
            Subscription
          </Title>
          <Text size="sm" c="dimmed">
            {formatLevel(subscription.planPrice)}
          </Text>
        </div>
        {subscription.isPastDue && <PastDue amountCents={nextChargeCents ?? null} />}
        <Stack gap={4}>
          {subscription.pausedUntil && (
            <Text size="sm" fw={560} c="var(--xp-ink)">
              Paused until <Moment at={subscription.pausedUntil} as={formatSellerDate} />
            </Text>
          )}
          {!subscription.isPastDue && (
            <Text size="sm">
              <NextPayment subscription={subscription} amountCents={nextChargeCents ?? null} />
            </Text>
          )}
          <Text size="sm" component="div">
            <Group gap="xs">
              <CurrentCard subscription={subscription} />
            </Group>
          </Text>
        </Stack>
        <Group gap="xs" mt="auto">
          {!subscription.isCancelledAtPeriodEnd && !subscription.isPastDue && !subscription.pausedUntil && (
            <Button component={Link} to={paths.changeSubscription.href()} size="sm" px="sm" variant="default">
              Change Plan
            </Button>
          )}
          {!subscription.isPastDue && (
            <Button component={Link} to={paths.managePaymentDetails.href()} size="sm" px="sm" variant="default">
              Update Card
            </Button>
          )}
          <Button component={Link} to={paths.manageSubscription.href()} size="sm" px="sm" variant="subtle">
            {subscription.isCancelledAtPeriodEnd || subscription.pausedUntil ? "Resume" : "Cancel"}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function NextPayment(props: { subscription: ActiveSubscription; amountCents: number | null }) {
  const { subscription, amountCents } = props;
  const date = <Moment at={subscription.currentPeriodEndsAt} as={formatSellerDate} />;
  if (subscription.isCancelledAtPeriodEnd) return <>Cancelled. Ends on {date}.</>;
  if (amountCents === null) return <>Renews on {date}.</>;
  return (
    <>
      Next payment: {formatAud(amountCents)} on {date}
    </>
  );
}

function PastDue({ amountCents }: { amountCents: number | null }) {
  const { data } = usePaymentsQuery({ context: { staysOnPage: true } });
  const latest = data?.paymentAttempts[0];
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Your last payment failed"
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {amountCents === null ? "Your bank declined the payment." : `${formatAud(amountCents)} is due.`}
          {latest?.reason && (
            <>
              {" "}
              {latest.reason}. <NextRetry at={latest.nextRetryAt} />.
            </>
          )}{" "}
          Update your card to keep your licence.
        </Text>
        <Button component={Link} to={paths.managePaymentDetails.href()} size="compact-sm" color="red">
          Update Card
        </Button>
      </Stack>
    </Alert>
  );
}
