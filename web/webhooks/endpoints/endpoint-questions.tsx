import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import {
  useDeleteWebhookEndpointMutation,
  useRollWebhookSecretMutation,
  useUpdateWebhookEndpointMutation,
} from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { codeOf } from "#web/platform/server-error.ts";
import { useLast } from "#web/ui/use-last.ts";
import type { ShownEndpoint } from "./webhook-words.ts";
import { UrlText } from "./url-text.tsx";
import classes from "./webhooks.module.css";

interface QuestionProps {
  /** Null while the dialog is closed. */
  endpoint: ShownEndpoint | null;
  onClose: () => void;
}

/** Asks before an endpoint and its log are deleted. */
export function DeleteEndpointDialog(props: QuestionProps & { onSettled: () => void; onDeleted: () => void }) {
  const { onClose, onSettled, onDeleted } = props;
  const [deleteEndpoint] = useDeleteWebhookEndpointMutation();
  const endpoint = useLast(props.endpoint);

  async function remove() {
    notify.clearErrors();
    const gone = (said: string) => {
      notify.success(said);
      onClose();
      onDeleted();
    };
    try {
      await deleteEndpoint({
        variables: { id: endpoint?.id ?? "" },
        // The list must not show it once more while it is fetched.
        update: (cache) =>
          void cache.evict({ id: cache.identify({ __typename: "WebhookEndpoint", id: endpoint?.id }) }),
      });
      gone("You have deleted the endpoint.");
    } catch (error) {
      // Deleted already, as in another tab: what was wanted is so.
      if (codeOf(error) === "NOT_FOUND") return gone("That endpoint had been deleted already.");
      notify.failure(error, "Unable to delete the endpoint.");
      onClose();
      onSettled();
    }
  }

  return (
    <ConfirmDialog
      opened={props.endpoint !== null}
      title="Delete Endpoint"
      danger
      onConfirm={remove}
      onCancel={onClose}
    >
      <Words url={endpoint?.url}>
        Nothing is delivered to it any more, not even what is still to be tried again, and its log of deliveries goes
        with it. This can't be undone. Do you want to go on?
      </Words>
    </ConfirmDialog>
  );
}

/** Asks before an endpoint is turned off. */
export function TurnOffDialog(props: QuestionProps & { onSettled: () => void }) {
  const { onClose, onSettled } = props;
  const [update] = useUpdateWebhookEndpointMutation();
  const endpoint = useLast(props.endpoint);

  async function turnOff() {
    if (!endpoint) return;
    const { id, url, description, eventTypes } = endpoint;
    notify.clearErrors();
    try {
      await update({ variables: { id, input: { url, description, eventTypes, enabled: false } } });
      notify.success("The endpoint is off. Nothing is delivered to it.");
    } catch (error) {
      notify.failure(error, "Unable to turn the endpoint off.");
    }
    onClose();
    onSettled();
  }

  return (
    <ConfirmDialog opened={props.endpoint !== null} title="Turn Off Endpoint" onConfirm={turnOff} onCancel={onClose}>
      <Words url={endpoint?.url}>
        While it is off, nothing is delivered to it: what is still to be tried again is given up, and what happens
        meanwhile is not sent later. Its log stays. Do you want to go on?
      </Words>
    </ConfirmDialog>
  );
}

/** Asks before the secret is replaced, and says what becomes of the present one. */
export function RollSecretDialog(
  props: QuestionProps & { onRolled: (endpoint: ShownEndpoint, secret: string) => void },
) {
  const { onClose, onRolled } = props;
  const [roll] = useRollWebhookSecretMutation();
  const endpoint = useLast(props.endpoint);

  async function makeNew() {
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
    <ConfirmDialog opened={props.endpoint !== null} title="Roll the Secret" onConfirm={makeNew} onCancel={onClose}>
      <Words url={endpoint?.url}>
        A new signing secret is made and shown to you once. For {WEBHOOK_ROLL_HOURS} hours every request carries two
        signatures, one by the new secret and one by the old; then the old one stops working. Do you want to go on?
      </Words>
    </ConfirmDialog>
  );
}

function Words({ url, children }: { url: string | undefined; children: React.ReactNode }) {
  return (
    <div className={classes.question}>
      <p className={classes.asked}>{url && <UrlText url={url} />}</p>
      <p>{children}</p>
    </div>
  );
}
