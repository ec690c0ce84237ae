import { Stack, Text } from "@mantine/core";
import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import {
  useDeleteWebhookEndpointMutation,
  useRollWebhookSecretMutation,
  useUpdateWebhookEndpointMutation,
} from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import type { ShownEndpoint } from "./webhook-labels.ts";
import { UrlText } from "./url-text.tsx";

interface DialogProps {
  /** Null while the dialog is closed. */
  endpoint: ShownEndpoint | null;
  onClose: () => void;
}

/** Confirms and deletes an endpoint with its log. */
export function DeleteEndpointDialog(props: DialogProps & { onSettled: () => void; onDeleted: () => void }) {
  const { onClose, onSettled, onDeleted } = props;
  const [deleteEndpoint] = useDeleteWebhookEndpointMutation();
  const endpoint = useLastValue(props.endpoint);

  async function remove() {
    notify.clearErrors();
    const finish = (message: string) => {
      notify.success(message);
      onClose();
      onDeleted();
    };
    try {
      await deleteEndpoint({
        variables: { id: endpoint?.id ?? "" },
        // The list must not show the endpoint while the list reloads.
        update: (cache) =>
          void cache.evict({ id: cache.identify({ __typename: "WebhookEndpoint", id: endpoint?.id }) }),
      });
      finish("You have deleted the endpoint.");
    } catch (error) {
      // Already deleted, for example in another tab.
      if (getErrorCode(error) === "NOT_FOUND") return finish("The endpoint was already deleted.");
      notify.failure(error, "Unable to delete the endpoint.");
      onClose();
      onSettled();
    }
  }

  return (
    <ConfirmDialog
      opened={props.endpoint !== null}
      title="Delete endpoint"
      confirmLabel="Delete"
      danger
      onConfirm={remove}
      onCancel={onClose}
    >
      <Question url={endpoint?.url}>
        The endpoint will receive no more events, including scheduled retries, and its delivery log will be deleted.
        This can't be undone. Do you want to continue?
      </Question>
    </ConfirmDialog>
  );
}

/** Confirms and turns off an endpoint. */
export function TurnOffDialog(props: DialogProps & { onSettled: () => void }) {
  const { onClose, onSettled } = props;
  const [update] = useUpdateWebhookEndpointMutation();
  const endpoint = useLastValue(props.endpoint);

  async function turnOff() {
    if (!endpoint) return;
    const { id, url, description, eventTypes } = endpoint;
    notify.clearErrors();
    try {
      await update({ variables: { id, input: { url, description, eventTypes, enabled: false } } });
      notify.success("The endpoint is off and receives no events.");
    } catch (error) {
      notify.failure(error, "Unable to turn the endpoint off.");
    }
    onClose();
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={props.endpoint !== null}
      title="Turn off endpoint"
      confirmLabel="Turn off"
      onConfirm={turnOff}
      onCancel={onClose}
    >
      <Question url={endpoint?.url}>
        While the endpoint is off, it receives no events. Scheduled retries are cancelled, and events that happen in the
        meantime are not sent later. The delivery log is kept. Do you want to continue?
      </Question>
    </ConfirmDialog>
  );
}

/** Confirms and replaces the secret of an endpoint. */
export function RollSecretDialog(props: DialogProps & { onRolled: (endpoint: ShownEndpoint, secret: string) => void }) {
  const { onClose, onRolled } = props;
  const [roll] = useRollWebhookSecretMutation();
  const endpoint = useLastValue(props.endpoint);

  async function rollSecret() {
    notify.clearErrors();
    try {
      const { data } = await roll({ variables: { id: endpoint?.id ?? "" } });
      if (data) return onRolled(data.rollWebhookSecret.endpoint, data.rollWebhookSecret.secret);
    } catch (error) {
      notify.failure(error, "Unable to roll the secret.");
    }
    onClose();
  }

  return (
    <ConfirmDialog
      opened={props.endpoint !== null}
      title="Roll secret"
      confirmLabel="Roll"
      onConfirm={rollSecret}
      onCancel={onClose}
    >
      <Question url={endpoint?.url}>
        A new signing secret is created and shown to you once. For {WEBHOOK_ROLL_HOURS} hours every request carries two
        signatures, one with the new secret and one with the old. After that, the old secret stops working. Do you want
        to continue?
      </Question>
    </ConfirmDialog>
  );
}

function Question({ url, children }: { url: string | undefined; children: React.ReactNode }) {
  return (
    <Stack gap="xs">
      <Text fw={560} c="var(--xp-ink)" style={{ overflowWrap: "anywhere" }}>
        {url && <UrlText url={url} />}
      </Text>
      <p>{children}</p>
    </Stack>
  );
}
