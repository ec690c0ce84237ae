import { Button, Box, Group, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { flushSync } from "react-dom";
import { Link, useNavigate, useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import {
  useReplayWebhookDeliveryMutation,
  useSendTestWebhookMutation,
  useWebhookDeliveriesQuery,
} from "#web/generated/graphql.ts";
import { ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { DELIVERIES_PER_PAGE, DeliveryLog, type LogFilter } from "./delivery-log.tsx";
import { EndpointHead } from "./endpoint-head.tsx";
import { useFollowedDelivery, mergeNewerData, type FollowedState } from "./use-followed-delivery.ts";
import { useEndpointActions } from "./use-endpoint-actions.tsx";
import { type ShownDelivery, formatDuration, formatNextAttempt, wasInterrupted } from "./endpoint-state.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconCircleCheck, IconCircleX, IconClock } from "@tabler/icons-react";
import { ScheduleStrip } from "#web/ui/pictures/schedule-strip.tsx";

/** Page of one webhook endpoint with its delivery log. */
export default function WebhookEndpointPage() {
  const { endpointId = "" } = useParams();
  return (
    <PageLayout title={paths.webhookEndpoint.title} back={{ to: paths.webhooks.href(), label: "Webhooks" }}>
      <WebhookEndpoint key={endpointId} endpointId={endpointId} />
    </PageLayout>
  );
}

const NEWEST: LogFilter = { page: 1, status: null };

/** Page content of one endpoint: details, actions and delivery log. */
export function WebhookEndpoint({ endpointId }: { endpointId: string }) {
  const navigate = useNavigate();
  const [part, setPart] = useState(NEWEST);
  const [openId, setOpenId] = useState<string | null>(null);
  const query = useWebhookDeliveriesQuery({
    variables: { id: endpointId, offset: (part.page - 1) * DELIVERIES_PER_PAGE, status: part.status },
  });
  const { data, previousData, error, refetch } = query;
  const [sendTest] = useSendTestWebhookMutation();
  const [replay] = useReplayWebhookDeliveryMutation();
  const { followed, follow, clear } = useFollowedDelivery(endpointId);
  const shown = data ?? previousData;
  const reload = async () => void (await refetch().catch(() => undefined));
  const actions = useEndpointActions(reload, () => void navigate(paths.webhooks.href()));

  if (!shown)
    return (
      <Loaded
        query={query}
        failure="Unable to load the webhook endpoint."
        loading="Loading the webhook endpoint"
        tall
      />
    );
  const endpoint = shown.webhookEndpoint;
  if (!endpoint)
    return (
      <ErrorState message="This endpoint doesn't exist. It may have been deleted.">
        <Button component={Link} to={paths.webhooks.href()}>
          Go to webhooks
        </Button>
      </ErrorState>
    );

  /** Sends a test event or replay and follows the new delivery, which is first in the log. */
  async function send(
    kind: "test" | "replay",
    createDelivery: () => Promise<ShownDelivery | undefined>,
    fallback: string,
  ) {
    notify.clearErrors();
    clear();
    try {
      const delivery = await createDelivery();
      if (!delivery) return;
      setPart(NEWEST);
      await follow(kind, delivery);
    } catch (failure) {
      notify.failure(failure, fallback);
    }
  }

  const sendTestEvent = () =>
    send(
      "test",
      async () => (await sendTest({ variables: { id: endpointId } })).data?.sendTestWebhook,
      "Unable to send the test event.",
    );

  const replayDelivery = ({ id }: ShownDelivery) =>
    send(
      "replay",
      async () => (await replay({ variables: { id } })).data?.replayWebhookDelivery,
      "Unable to replay the delivery.",
    );

  const known = endpoint.deliveries.rows.find(({ id }) => id === followed?.delivery.id);
  const current = followed && known ? mergeNewerData(followed, known) : followed;

  function show({ id }: ShownDelivery) {
    // Polling has put the newest deliveries in the cache.
    flushSync(() => {
      setPart(NEWEST);
      setOpenId(id);
    });
    document.getElementById(`delivery-${id}`)?.focus();
  }

  return (
    <>
      <EndpointHead endpoint={endpoint} onSendTest={sendTestEvent} actions={actions}>
        <FollowedDelivery followed={current} onShow={show} />
      </EndpointHead>
      <DeliveryLog
        deliveries={endpoint.deliveries}
        isLoading={!data && !error}
        error={data ? undefined : error}
        part={part}
        onPart={setPart}
        openId={openId}
        onOpen={setOpenId}
        onReplay={endpoint.enabled ? replayDelivery : null}
        onReload={reload}
      />
    </>
  );
}

function FollowedDelivery(props: { followed: FollowedState | null; onShow: (delivery: ShownDelivery) => void }) {
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
              <Box miw={0} data-break="anywhere">
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
