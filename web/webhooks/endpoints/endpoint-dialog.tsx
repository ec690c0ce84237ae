import { getLabels } from "#schema/field.ts";
import { webhookEndpointFields, webhookEndpointRules, type WebhookEndpointValues } from "#schema/webhook-endpoint.ts";
import { useAddWebhookEndpointMutation, useUpdateWebhookEndpointMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { EventTypesField } from "./event-types-field.tsx";
import { listEventTypes, listTypeNames, type ShownEndpoint } from "./webhook-labels.ts";
import { toCode } from "#schema/closed-list.ts";
import { webhookEvents } from "#schema/webhooks.ts";

const labels = getLabels(webhookEndpointFields);

interface EndpointDialogProps extends DialogControl {
  /** Null for a new endpoint. */
  endpoint: ShownEndpoint | null;
  onAdded: (endpoint: ShownEndpoint, secret: string) => void;
  onChanged: () => void;
}

/** Dialog to add or edit a webhook endpoint. Its form is reset each time it opens. */
export default function EndpointDialog({ endpoint, onAdded, onChanged, ...dialog }: EndpointDialogProps) {
  const [add] = useAddWebhookEndpointMutation();
  const [update] = useUpdateWebhookEndpointMutation();
  const { url = "", description = "", eventTypes = [] } = endpoint ?? {};
  const form = useAppForm(webhookEndpointRules, {
    // An admin who is no longer an owner can't keep the events that only owners receive.
    defaultValues: {
      url,
      description,
      eventTypes: listEventTypes().filter((type) => listTypeNames(eventTypes).includes(type)),
    },
  });
  const { control } = form;

  async function save(values: WebhookEndpointValues) {
    const input = { ...values, eventTypes: values.eventTypes.map((type) => toCode(webhookEvents, type)) };
    if (endpoint) {
      await update({ variables: { id: endpoint.id, input: { ...input, enabled: endpoint.enabled } } });
      notify.success("You have updated the endpoint.");
      dialog.onClose();
      onChanged();
      return;
    }
    const { data } = await add({ variables: { input } });
    dialog.onClose();
    if (data) onAdded(data.addWebhookEndpoint.endpoint, data.addWebhookEndpoint.secret);
  }

  return (
    <FormDialog
      {...dialog}
      title={endpoint ? "Edit endpoint" : "Add endpoint"}
      size="lg"
      form={form}
      onSubmit={save}
      fallback={endpoint ? "Unable to update the endpoint." : "Unable to add the endpoint."}
      submit={endpoint ? "Save" : "Add endpoint"}
    >
      <TextField
        control={control}
        name="url"
        label={labels.url}
        type="url"
        hint="We send each event to this URL. It must start with https://"
        placeholder="https://example.com/webhooks"
        autoComplete="off"
        focusFirst
      />
      <TextField
        control={control}
        name="description"
        label={labels.description}
        optional
        hint="Only you can see this"
        maxLength={200}
        autoComplete="off"
      />
      <EventTypesField control={control} name="eventTypes" label={labels.eventTypes} />
    </FormDialog>
  );
}
