import { Button } from "@mantine/core";
import { useState } from "react";
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
import { FollowedDelivery } from "./followed-delivery.tsx";
import { useFollowedDelivery, mergeNewerData } from "./use-followed-delivery.ts";
import { useEndpointActions } from "./use-endpoint-actions.tsx";
import type { ShownDelivery } from "./webhook-labels.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

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
    fetchPolicy: "cache-and-network",
  });
  const { data, previousData, error, refetch } = query;
  const [sendTest] = useSendTestWebhookMutation();
  const [replay] = useReplayWebhookDeliveryMutation();
  const { followed, follow, clear } = useFollowedDelivery(endpointId);
  const shown = data ?? previousData;
  const reload = async () => void (await refetch().catch(() => undefined));
  const actions = useEndpointActions(
    () => void reload(),
    () => void navigate(paths.webhooks.href()),
  );

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
    setPart(NEWEST);
    setOpenId(id);
    document.getElementById(`delivery-${id}`)?.focus();
  }

  return (
    <>
      <EndpointHead endpoint={endpoint} onSendTest={sendTestEvent} actions={actions} onSettled={reload}>
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
