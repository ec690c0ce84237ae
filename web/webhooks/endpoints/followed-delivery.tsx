import { Box, Button, Group, Paper, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconClock } from "@tabler/icons-react";
import { ScheduleStrip } from "#web/ui/pictures/schedule-strip.tsx";
import type { FollowedState } from "./use-followed-delivery.ts";
import { formatDuration, formatNextAttempt, type ShownDelivery, wasInterrupted } from "./webhook-labels.ts";

/** Progress and result of a test event or replay. */
export function FollowedDelivery(props: { followed: FollowedState | null; onShow: (delivery: ShownDelivery) => void }) {
  const { followed, onShow } = props;
  const outcome = followed && describeOutcome(followed);
  const Picture = outcome?.Picture;
  const look = outcome
    ? {
        p: "md",
        bg: `var(--mantine-color-${outcome.color}-light)`,
        c: `var(--mantine-color-${outcome.color}-light-color)`,
      }
    : // Takes no row while it is empty.
      ({ pos: "absolute" } as const);
  return (
    <Paper {...look}>
      <Group justify="space-between">
        {/* Always rendered, so that screen readers announce its changes. */}
        <Box role="status" aria-label="Outcome" flex="1 1 18rem" miw={0}>
          {outcome && (
            <Group gap="sm" align="flex-start" wrap="nowrap">
              {Picture ? (
                <Picture size={22} stroke={1.8} aria-hidden="true" style={{ flex: "none" }} />
              ) : (
                <ScheduleStrip moving />
              )}
              <Box miw={0} style={{ overflowWrap: "anywhere" }}>
                <b>{outcome.title}</b>
                <Text size="sm">{outcome.words}</Text>
              </Box>
            </Group>
          )}
        </Box>
        {followed && followed.state !== "sending" && (
          <Button variant="default" size="sm" onClick={() => onShow(followed.delivery)}>
            Show delivery
          </Button>
        )}
      </Group>
    </Paper>
  );
}

function describeOutcome({ kind, delivery, state }: FollowedState) {
  const noun = kind === "test" ? "test event" : "event";
  const attempt = delivery.attempts.at(-1);
  if (state === "sending")
    return {
      color: "marigold",
      Picture: null,
      title: `Sending the ${noun}…`,
      words: "The result will appear here in a moment.",
    };
  if (state === "waiting")
    return {
      color: "marigold",
      Picture: IconClock,
      title: "No result yet",
      words: `The ${noun} is taking longer than usual. Refresh the deliveries below to see the result.`,
    };
  if (delivery.status === "DELIVERED")
    return {
      color: "spruce",
      Picture: IconCircleCheck,
      title: `The ${noun} was delivered`,
      words: attempt
        ? `Your endpoint responded with status ${attempt.responseStatus ?? ""} after ${formatDuration(attempt.durationMs)}.`
        : "",
    };
  const next = formatNextAttempt(delivery);
  if (wasInterrupted(delivery))
    return {
      color: "marigold",
      Picture: IconClock,
      title: `The ${noun} was interrupted`,
      words: `${attempt?.error ?? ""} We will send it again ${next}.`,
    };
  const hint = state === "tried" ? " Refresh the deliveries below to see the result." : "";
  return {
    color: "red",
    Picture: IconCircleX,
    title: `The ${noun} was not delivered`,
    words: `${describeFailure(attempt)}${next && ` We will try again ${next}.${hint}`}`,
  };
}

function describeFailure(attempt: ShownDelivery["attempts"][number] | undefined): string {
  if (attempt?.error) return attempt.error;
  if (attempt?.responseStatus) return `Your endpoint responded with status ${attempt.responseStatus}.`;
  return "Your endpoint did not respond.";
}
