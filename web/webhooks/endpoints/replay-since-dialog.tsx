import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { DAY_MS, getReaderTimeZone } from "#schema/dates.ts";
import { formatCount } from "#schema/numbers.ts";
import { WEBHOOK_LOG_DAYS } from "#schema/webhooks.ts";
import { useReplayWebhookEventsSinceMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { ConfirmDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { UrlText, type ShownEndpoint } from "./endpoint-state.tsx";

interface ReplaySinceDialogProps extends DialogControl {
  endpoint: ShownEndpoint;
  onSettled: () => void;
}

/** Formats a time for an input of the type `datetime-local`, in the browser's time zone. */
const toLocalInput = (at: Date) =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, "YYYY-MM-DDTHH:MM".length);

/** Asks for a time and sends all events since then to an endpoint again. */
export default function ReplaySinceDialog({ endpoint, opened, onClose, onSettled }: ReplaySinceDialogProps) {
  const [replay] = useReplayWebhookEventsSinceMutation();
  const [since, setSince] = useState(() => toLocalInput(new Date(Date.now() - DAY_MS)));
  const [error, setError] = useState<string | null>(null);

  async function send() {
    if (since === "") {
      setError("Choose a time.");
      return;
    }
    notify.clearErrors();
    try {
      const variables = { id: endpoint.id, since: new Date(since).toISOString() };
      const count = (await replay({ variables })).data?.replayWebhookEventsSince.count ?? 0;
      notify.success(`${formatCount(count, "event")} will be sent again.`);
      onClose();
    } catch (failure) {
      notify.failure(failure, "Unable to send the events again.");
    }
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={opened}
      title="Send events again"
      confirmLabel="Send again"
      onConfirm={send}
      onCancel={onClose}
    >
      <Stack gap="md">
        <Text data-break="anywhere">
          <UrlText url={endpoint.url} />
        </Text>
        <Text>
          All events since this time are sent to the endpoint again, with the same IDs, at most those of the last{" "}
          {WEBHOOK_LOG_DAYS} days. Events that happened while it was turned off may be missing.
        </Text>
        <TextInput
          type="datetime-local"
          label="Since"
          description={`In your time zone, ${getReaderTimeZone()}`}
          required
          value={since}
          error={error}
          onChange={({ currentTarget }) => {
            setSince(currentTarget.value);
            setError(null);
          }}
        />
      </Stack>
    </ConfirmDialog>
  );
}
