import { Anchor, Group, List, NativeSelect, Paper, Stack, Text, Textarea } from "@mantine/core";
import { type Icon, IconCalendarX, IconCreditCardOff, IconDeviceLaptopOff, IconRotate } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { type CancellationReasonCode, cancellationReasons } from "#schema/subscription.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { MAX_PAUSE_MONTHS } from "#schema/days.ts";
import { formatAud } from "#schema/money.ts";
import { useCancellationEffectsQuery } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { ConfirmDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { canPause, PauseOffer } from "./pause-offer.tsx";
import { findCheaperProduct, formatLevel, periodNames, type Product } from "./products.ts";
import type { ActiveSubscription } from "./subscription-overview.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** A customer's reason for cancelling; both parts are optional. */
export interface CancellationAnswer {
  readonly reason: CancellationReasonCode | null;
  readonly comment: string | null;
}

interface CancelDialogProps extends DialogControl {
  subscription: ActiveSubscription;
  products: readonly Product[];
  /** Returns whether it succeeded. */
  onConfirm: (answer: CancellationAnswer) => Promise<boolean>;
  /** Pauses the subscription until a day, `YYYY-MM-DD`, instead. Returns whether it succeeded. */
  onPause: (until: string) => Promise<boolean>;
}

/** Confirms a cancellation: lists what ends and when, offers a pause and another plan, and accepts a reason. */
export default function CancelDialog(props: CancelDialogProps) {
  const { subscription, products, onConfirm, onPause, opened, onClose } = props;
  const [reason, setReason] = useState("");
  const [comment, setComment] = useState("");
  const [now] = useState(Date.now);
  const { data } = useCancellationEffectsQuery({ context: { staysOnPage: true } });
  const licence = data?.me.licences.find(({ renewal }) => renewal !== "NONE");
  const count = licence?.devices.length ?? 0;
  const cheaper = findCheaperProduct(products, subscription.planPrice);
  // The paid period of an overdue subscription is over, and the current one isn't paid.
  const { isPastDue, currentPeriodEndsAt, licenceExtendedUntil } = subscription;
  const periodEnd = <Moment at={currentPeriodEndsAt} as={formatSellerDate} />;
  const runsLonger = licenceExtendedUntil !== null && licenceExtendedUntil > currentPeriodEndsAt;
  const licenceEndsAt = runsLonger ? licenceExtendedUntil : currentPeriodEndsAt;
  const licenceEnd = <Moment at={licenceEndsAt} as={formatSellerDate} />;

  return (
    <ConfirmDialog
      opened={opened}
      title="Cancel Subscription"
      confirmLabel="Cancel subscription"
      cancelLabel="Keep subscription"
      danger
      onConfirm={async () => {
        const isDone = await onConfirm({
          reason: cancellationReasons.find(({ code }) => code === reason)?.code ?? null,
          comment: comment.trim() || null,
        });
        if (isDone) onClose();
      }}
      onCancel={onClose}
    >
      <Stack gap="md">
        <Text fw={560} c="var(--xp-ink)">
          Are you sure you wish to cancel your subscription?
        </Text>
        <List spacing="xs" listStyleType="none" aria-label="What ends">
          <Effect icon={IconCalendarX}>
            {isPastDue ? (
              <>Your subscription ends now.</>
            ) : subscription.pausedUntil ? (
              <>
                Your pause stays. Your licence then runs from{" "}
                <Moment at={subscription.pausedUntil} as={formatSellerDate} /> until {licenceEnd}.
              </>
            ) : subscription.isDisputed ? (
              <>Your subscription runs until {periodEnd}. Your licence stays suspended while the payment is disputed.</>
            ) : runsLonger ? (
              <>Your subscription runs until {periodEnd}.</>
            ) : (
              <>Your subscription and licence run until {periodEnd}.</>
            )}
          </Effect>
          <Effect icon={IconDeviceLaptopOff}>
            {isPastDue && licence && Date.parse(licence.expiresAt) <= now ? (
              <>Your {licence.subscriptionLevel} licence has expired.</>
            ) : licence ? (
              <>
                Your {licence.subscriptionLevel} licence ends on{" "}
                <Moment at={isPastDue ? licence.expiresAt : licenceEndsAt} as={formatSellerDate} />.
                {count > 0 && ` The add-in stops working on your ${count === 1 ? "device" : `${count} devices`}.`}
              </>
            ) : isPastDue ? (
              <>Your licence isn't extended any more.</>
            ) : (
              <>Your licence ends on {licenceEnd}, on all its devices.</>
            )}
          </Effect>
          <Effect icon={IconCreditCardOff}>You will not be charged again, and nothing is refunded.</Effect>
          {!isPastDue && (
            <Effect icon={IconRotate}>
              You can resume your subscription until {runsLonger ? periodEnd : "that day"}. Nothing is lost if you do.
            </Effect>
          )}
        </List>
        {canPause(subscription) && (
          <PauseOffer
            periodEndsAt={subscription.currentPeriodEndsAt}
            openLabel="Pause instead"
            onPause={async (until) => (await onPause(until)) && onClose()}
          >
            Need a break? Pause instead, for up to {MAX_PAUSE_MONTHS} months.
          </PauseOffer>
        )}
        {cheaper && cheaper.id !== subscription.nextPlanPrice?.id && !isPastDue && !subscription.pausedUntil && (
          <Paper withBorder p="sm" bg="var(--xp-sunken)">
            <Text size="sm" c="var(--xp-ink)">
              {cheaper.planPrice.interval === "YEARLY" ? "Looking for a lower price?" : "Prefer to pay monthly?"}{" "}
              {formatLevel(cheaper.planPrice)} costs {formatAud(cheaper.totalCents)} a{" "}
              {periodNames[cheaper.planPrice.interval]}.{" "}
              <Anchor
                component={Link}
                inherit
                fw={560}
                to={`${paths.changeSubscription.href()}?level=${encodeURIComponent(cheaper.id)}`}
              >
                Change Plan
              </Anchor>
            </Text>
          </Paper>
        )}
        <NativeSelect
          label="Reason"
          description="Optional. It helps us improve."
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data={[
            { value: "", label: "Choose a reason" },
            ...cancellationReasons.map(({ code, label }) => ({ value: code, label })),
          ]}
        />
        {reason && (
          <Textarea
            label="Comment"
            description="Optional"
            rows={3}
            maxLength={500}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

function Effect({ icon: EffectIcon, children }: { icon: Icon; children: ReactNode }) {
  return (
    <List.Item>
      <Group gap="sm" wrap="nowrap" align="flex-start" component="span">
        <EffectIcon size={20} stroke={1.8} style={{ flex: "none", marginTop: 2 }} aria-hidden />
        <span>{children}</span>
      </Group>
    </List.Item>
  );
}
