import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatSellerDate } from "#schema/dates.ts";
import { explainPauseDay, getPauseDays, getStartOfDay } from "#schema/days.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { DayInput } from "#web/ui/form/date-field.tsx";
import type { ActiveSubscription } from "./subscription-overview.tsx";

/** Returns whether a subscription can be paused: it is paid without a dispute, runs on and has no planned change. */
export function canPause(subscription: ActiveSubscription): boolean {
  const { isPastDue, isDisputed, pausedUntil, nextPlanPrice, isCancelledAtPeriodEnd } = subscription;
  return !isPastDue && !isDisputed && !pausedUntil && !nextPlanPrice && !isCancelledAtPeriodEnd;
}

interface PauseOfferProps {
  /** ISO 8601 end of the paid period. */
  periodEndsAt: string;
  openLabel: string;
  /** Puts a frame around the offer, which a section of its own doesn't need. Default true. */
  isFramed?: boolean;
  children: ReactNode;
  /** Pauses the subscription until a day, `YYYY-MM-DD`. */
  onPause: (until: string) => Promise<unknown>;
}

/** Offers to pause a subscription, with what the pause does. */
export function PauseOffer({ periodEndsAt, openLabel, isFramed = true, children, onPause }: PauseOfferProps) {
  const [isOpen, setOpen] = useState(false);
  const [until, setUntil] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [now] = useState(() => new Date());
  const { first, last } = getPauseDays(now);
  const refusal = explainPauseDay(until, now);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  function open() {
    flushSync(() => setOpen(true));
    frame.current?.querySelector("input")?.focus();
  }

  async function pause() {
    if (refusal) setError(refusal);
    else await onPause(until);
  }

  return (
    <Paper ref={frame} withBorder={isFramed} p={isFramed ? "sm" : 0} bg={isFramed ? "var(--xp-sunken)" : "transparent"}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Text size="sm" c={isFramed ? "var(--xp-ink)" : "dimmed"}>
            {children}
          </Text>
          {!isOpen && (
            <Button size={isFramed ? "xs" : "sm"} variant="default" onClick={open}>
              {openLabel}
            </Button>
          )}
        </Group>
        {isOpen && (
          <>
            <DayInput
              label="Pause until"
              required
              withAsterisk={false}
              min={first}
              max={last}
              value={until}
              error={error}
              onChange={(day) => {
                setUntil(day);
                setError(null);
              }}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                // Would confirm the cancellation that the pause is offered instead of.
                event.preventDefault();
                // The button keeps the focus on the page when it disappears with the field.
                if (!refusal) button.current?.focus();
                button.current?.click();
              }}
            />
            {!refusal && <Text size="sm">{describePause(until, new Date(periodEndsAt), now)}</Text>}
            <Group justify="flex-end">
              <BusyButton ref={button} size="sm" onPress={pause}>
                Pause Subscription
              </BusyButton>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  );
}

/** Describes a pause. The time that is paid for follows it, so the next payment moves by its length. */
function describePause(until: string, periodEnd: Date, now: Date): string {
  const end = getStartOfDay(until);
  const next = new Date(end.getTime() + Math.max(0, periodEnd.getTime() - now.getTime()));
  const [resumes, pays] = [end, next].map((date) => formatSellerDate(date));
  return `The add-in stops working now and works again from ${resumes}. The time you paid for isn't lost: your next payment moves to ${pays}. You can resume earlier.`;
}
