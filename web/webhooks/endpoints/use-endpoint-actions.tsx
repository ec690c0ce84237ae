import { Stack, Text } from "@mantine/core";
import { useNavigate } from "react-router-dom";
import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import {
  useDeleteWebhookEndpointMutation,
  useRollWebhookSecretMutation,
  useUpdateWebhookEndpointMutation,
} from "#web/generated/graphql.ts";
import { acceptGone } from "#web/platform/server-error.ts";
import { paths } from "#web/platform/paths.ts";
import { confirmAction, reportChange, useOpenDialog } from "#web/ui/dialogs.tsx";
import { UrlText, type ShownEndpoint, WEBHOOK_DOCS } from "./endpoint-state.tsx";
import { useRef } from "react";
import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";

/**
 * Returns the actions on endpoints. All but `turnOn` open a dialog. A new secret is shown as soon as it has been created.
 * @param onSettled called after a change, or after an attempt that may have changed something
 * @param onDeleted called after an endpoint was deleted
 */
export function useEndpointActions(onSettled: () => unknown, onDeleted = onSettled) {
  const openDialog = useOpenDialog();
  const navigate = useNavigate();
  const [deleteEndpoint] = useDeleteWebhookEndpointMutation();
  const [update] = useUpdateWebhookEndpointMutation();
  const [roll] = useRollWebhookSecretMutation();
  const isTurningOn = useRef(false);

  function showSecret({ id }: ShownEndpoint, secret: string, isNew: boolean) {
    // The dialog is a part of this file's code, because a secret that isn't shown is lost.
    openDialog(async () => ({ default: SecretDialog }), {
      secret,
      isNew,
      // The next step is a test event, which is sent on the endpoint's page.
      onDone: () => isNew && void navigate(paths.webhookEndpoint.href({ endpointId: id })),
    });
    onSettled();
  }

  const openForm = (endpoint: ShownEndpoint | null) =>
    openDialog(() => import("./endpoint-dialog.tsx"), {
      endpoint,
      onAdded: (added, secret) => showSecret(added, secret, true),
      onChanged: onSettled,
    });

  return {
    add: () => openForm(null),
    edit: openForm,
    replay: (endpoint: ShownEndpoint) => openDialog(() => import("./replay-since-dialog.tsx"), { endpoint, onSettled }),
    rollSecret: ({ id, url }: ShownEndpoint) =>
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
          if (data) showSecret(data.rollWebhookSecret.endpoint, data.rollWebhookSecret.secret, false);
        },
        onSettled: () => undefined,
      }),
    turnOn: async ({ id, url, description, eventTypes }: ShownEndpoint) => {
      if (isTurningOn.current) return;
      isTurningOn.current = true;
      await reportChange({
        run: () => update({ variables: { id, input: { url, description, eventTypes, enabled: true } } }),
        success: "The endpoint is on and receives events from now on.",
        failure: "Unable to turn the endpoint on.",
      });
      isTurningOn.current = false;
      await onSettled();
    },
    turnOff: ({ id, url, description, eventTypes }: ShownEndpoint) =>
      confirmAction({
        title: "Turn off endpoint",
        confirmLabel: "Turn off",
        text: askAbout(
          url,
          "While the endpoint is off, it receives no events. Scheduled retries are cancelled, and events that happen in the meantime are not sent later. The delivery log is kept. Do you want to continue?",
        ),
        failure: "Unable to turn the endpoint off.",
        run: () => update({ variables: { id, input: { url, description, eventTypes, enabled: false } } }),
        success: "The endpoint is off and receives no events.",
        onSettled: async (isDone) => {
          await onSettled();
          // The pressed button of the endpoint's page disappears. In the list, the row's menu keeps the focus.
          if (isDone) document.getElementById("endpoint-url")?.focus();
        },
      }),
    remove: ({ id, url }: ShownEndpoint) =>
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
          const isGone = await acceptGone(
            deleteEndpoint({
              variables: { id },
              // The list must not show the endpoint while the list reloads.
              update: (cache) => void cache.evict({ id: cache.identify({ __typename: "WebhookEndpoint", id }) }),
            }),
          );
          onDeleted();
          return isGone;
        },
        success: (isGone) => (isGone ? "The endpoint was already deleted." : "You have deleted the endpoint."),
        onSettled,
      }),
  };
}

export type EndpointActions = ReturnType<typeof useEndpointActions>;

function askAbout(url: string, question: string) {
  return (
    <Stack gap="xs">
      <Text fw={560} c="var(--xp-ink)" data-break="anywhere">
        <UrlText url={url} />
      </Text>
      <p>{question}</p>
    </Stack>
  );
}

interface SecretDialogProps extends DialogControl {
  secret: string;
  isNew: boolean;
  onDone: () => void;
}

/** Shows a new signing secret once and explains its use. */
function SecretDialog({ secret, isNew, onDone, ...dialog }: SecretDialogProps) {
  return (
    <SecretOnceDialog
      {...dialog}
      onClose={() => {
        dialog.onClose();
        onDone();
      }}
      title="Your signing secret"
      secret={secret}
      label="Signing secret"
      successMessage="The signing secret has been copied to clipboard."
      before={
        <p>
          {isNew ? "The endpoint has been added. " : "This is the new secret. "}
          Save it in your application's settings. <b>It is shown only once.</b>
        </p>
      }
      after={
        <p>
          To verify that a request comes from us, pass the secret, the unchanged body and the headers{" "}
          <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> to a library for{" "}
          <a href="https://www.standardwebhooks.com/" rel="noreferrer" target="_blank">
            Standard Webhooks
          </a>
          .{" "}
          <a href={WEBHOOK_DOCS} rel="noreferrer" target="_blank">
            The documentation
          </a>{" "}
          has an example. If you lose the secret, roll it to get a new one.
        </p>
      }
    />
  );
}
