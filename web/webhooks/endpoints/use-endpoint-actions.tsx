import { Stack, Text } from "@mantine/core";
import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import {
  useDeleteWebhookEndpointMutation,
  useRollWebhookSecretMutation,
  useUpdateWebhookEndpointMutation,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { confirmAction } from "#web/ui/confirm-action.tsx";
import { UrlText } from "./url-text.tsx";
import type { ShownEndpoint } from "./webhook-labels.ts";

/** Actions on an endpoint that need a confirmation. */
export type EndpointActions = Readonly<Record<"rollSecret" | "turnOff" | "remove", (endpoint: ShownEndpoint) => void>>;

/** Returns the actions on an endpoint that need a confirmation. */
export function useEndpointActions(after: {
  /** Called after a change, or after an attempt that may have changed something. */
  onSettled: () => void;
  /** Called after an endpoint was deleted. */
  onDeleted: () => void;
  onRolled: (endpoint: ShownEndpoint, secret: string) => void;
}): EndpointActions {
  const { onSettled, onDeleted, onRolled } = after;
  const [deleteEndpoint] = useDeleteWebhookEndpointMutation();
  const [update] = useUpdateWebhookEndpointMutation();
  const [roll] = useRollWebhookSecretMutation();
  return {
    rollSecret: ({ id, url }) =>
      confirmAction({
        title: "Roll secret",
        confirmLabel: "Roll",
        text: askAbout(
          url,
          `A new signing secret is created and shown to you once. For ${WEBHOOK_ROLL_HOURS} hours every request carries two signatures, one with the new secret and one with the old. After that, the old secret stops working. Do you want to continue?`,
        ),
        failure: "Unable to roll the secret.",
        run: async () => {
          const { data } = await roll({ variables: { id } });
          if (data) onRolled(data.rollWebhookSecret.endpoint, data.rollWebhookSecret.secret);
        },
        onFailure: () => undefined,
      }),
    turnOff: ({ id, url, description, eventTypes }) =>
      confirmAction({
        title: "Turn off endpoint",
        confirmLabel: "Turn off",
        text: askAbout(
          url,
          "While the endpoint is off, it receives no events. Scheduled retries are cancelled, and events that happen in the meantime are not sent later. The delivery log is kept. Do you want to continue?",
        ),
        failure: "Unable to turn the endpoint off.",
        run: async () => {
          await update({ variables: { id, input: { url, description, eventTypes, enabled: false } } });
          notify.success("The endpoint is off and receives no events.");
          onSettled();
        },
        onFailure: onSettled,
      }),
    remove: ({ id, url }) =>
      confirmAction({
        title: "Delete endpoint",
        confirmLabel: "Delete",
        danger: true,
        text: askAbout(
          url,
          "The endpoint will receive no more events, including scheduled retries, and its delivery log will be deleted. This can't be undone. Do you want to continue?",
        ),
        failure: "Unable to delete the endpoint.",
        run: async () => {
          try {
            await deleteEndpoint({
              variables: { id },
              // The list must not show the endpoint while the list reloads.
              update: (cache) => void cache.evict({ id: cache.identify({ __typename: "WebhookEndpoint", id }) }),
            });
            notify.success("You have deleted the endpoint.");
          } catch (error) {
            // Already deleted, for example in another tab.
            if (getErrorCode(error) !== "NOT_FOUND") throw error;
            notify.success("The endpoint was already deleted.");
          }
          onDeleted();
        },
        onFailure: onSettled,
      }),
  };
}

function askAbout(url: string, question: string) {
  return (
    <Stack gap="xs">
      <Text fw={560} c="var(--xp-ink)" style={{ overflowWrap: "anywhere" }}>
        <UrlText url={url} />
      </Text>
      <p>{question}</p>
    </Stack>
  );
}
