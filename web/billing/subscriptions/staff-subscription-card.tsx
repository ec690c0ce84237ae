import { Alert, Badge, Card, Group, Title } from "@mantine/core";
import { useState } from "react";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import {
  type BillingSubscriptionFieldsFragment,
  type SubscriptionActionKind,
  useSendUpdateCardLinkMutation,
} from "#web/generated/graphql.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { Button } from "#web/ui/button.tsx";
import { formatCard, NextRetry } from "./payment-texts.tsx";
import { FactRow } from "#web/ui/fact-cards.tsx";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { actionLabels, getStatusText, getSubscriptionActions, isCancelling } from "./subscription-texts.ts";
import { Moment } from "#web/ui/moment.tsx";

type Subscription = BillingSubscriptionFieldsFragment;

/** A customer's subscription for staff: plan, status, next payment, card and actions. */
export function StaffSubscriptionCard({ subscription, onDone }: { subscription: Subscription; onDone: () => void }) {
  const { plan, status, amountCents, nextChargeCents, periodEndsAt, cardBrand, cardLast4, pastDueCents } = subscription;
  const isFinance = useStaffRole("finance");
  const [now] = useState(() => new Date());
  const openDialog = useOpenDialog();
  const open = (kind: SubscriptionActionKind) =>
    openDialog(() => import("./subscription-action-dialog.tsx"), { subscription, kind, onDone });
  const { label, color } = getStatusText(subscription);
  const kinds = getSubscriptionActions(subscription, isFinance);
  const renderButton = (kind: SubscriptionActionKind) => (
    <Button
      key={kind}
      size="sm"
      variant={kind === "RETRY_PAYMENT" ? "light" : "default"}
      {...(isCancelling(kind) ? { color: "red", variant: "light" } : {})}
      onClick={() => open(kind)}
    >
      {actionLabels[kind]}
    </Button>
  );
  const start = (isWanted: (kind: SubscriptionActionKind) => boolean) => () => {
    const kind = kinds.find(isWanted);
    if (kind) open(kind);
  };
  useRequestedAction({
    "retry-payment": start((kind) => kind === "RETRY_PAYMENT"),
    "cancel-subscription": start(isCancelling),
    "resume-subscription": start((kind) => kind === "RESUME"),
  });
  const date = (at: string) => <Moment at={at} as={formatSellerDate} />;
  return (
    <Card component="section" padding="lg" aria-label="Subscription">
      <Group justify="space-between" gap="sm">
        <Title order={2} fz="h3">
          {plan}
        </Title>
        <Badge color={color}>{label}</Badge>
      </Group>
      {pastDueCents !== null && (
        <Alert color="red" variant="light" mt="md" role="alert" title={`${formatAud(pastDueCents)} is past due`}>
          {subscription.reason}. <NextRetry at={subscription.nextRetryAt} />.
        </Alert>
      )}
      <FactRow
        my="lg"
        size="md"
        weight={600}
        facts={[
          subscription.pausedUntil && ["Paused until", date(subscription.pausedUntil)],
          [getPeriodLabel(subscription), date(periodEndsAt)],
          status !== "ENDED" && amountCents !== null && ["Price", formatAud(amountCents)],
          nextChargeCents !== null && nextChargeCents !== amountCents && ["Next charge", formatAud(nextChargeCents)],
          ["Card", cardLast4 ? formatCard(cardBrand, cardLast4) : "No card on file"],
          [
            new Date(subscription.licenceExpiresAt) > now ? "Licence expires" : "Licence ended",
            date(subscription.licenceExpiresAt),
          ],
        ]}
      />
      {status !== "ENDED" && (
        <Group gap="xs">
          {kinds.filter((kind) => !isCancelling(kind)).map(renderButton)}
          <UpdateCardLink userId={subscription.userId} />
          {kinds.filter(isCancelling).map(renderButton)}
        </Group>
      )}
    </Card>
  );
}

/** Says what happens at the end of the period. */
function getPeriodLabel({ status, isCancelledAtPeriodEnd }: Subscription): string {
  if (status === "ENDED") return "Ended";
  if (status === "PAST_DUE") return "Paid until";
  return isCancelledAtPeriodEnd ? "Ends" : "Next payment";
}

/** Button that emails the customer a link to replace their card. */
function UpdateCardLink({ userId }: { userId: string }) {
  const [send] = useSendUpdateCardLinkMutation();
  const ask = () =>
    confirmAction({
      title: "Send Update-Card Link",
      confirmLabel: "Send email",
      text: "The customer gets an email with a link to the page where they can replace their card. An overdue payment is charged to the new card immediately.",
      run: () => send({ variables: { userId } }),
      success: "The email has been sent.",
      failure: "Unable to send the email.",
    });
  useRequestedAction({ "update-card": ask });
  return (
    <Button size="sm" variant="default" onClick={ask}>
      Send Update-Card Link
    </Button>
  );
}
