import { webhookEndpointFields, webhookEndpointRules, type WebhookEndpointValues } from "#schema/webhook-endpoint.ts";
import { useAddWebhookEndpointMutation, useUpdateWebhookEndpointMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { describeEvent, listEventTypes, listTypeNames, type ShownEndpoint } from "./endpoint-state.tsx";
import { toCode } from "#schema/closed-list.ts";
import { webhookEvents } from "#schema/webhooks.ts";
import { Button, Checkbox, Group, Input, Paper, Stack, Text } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { bindFields, type FieldProps, useField } from "#web/ui/form/use-field.tsx";

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
  const field = bindFields(webhookEndpointFields, form.control);

  async function save(values: WebhookEndpointValues) {
    const input = { ...values, eventTypes: values.eventTypes.map((type) => toCode(webhookEvents, type)) };
    if (endpoint) {
      // Without `enabled`: the endpoint may have been turned off since the dialog opened.
      await update({ variables: { id: endpoint.id, input } });
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
        {...field("url")}
        type="url"
        hint="We send each event to this URL. It must start with https://"
        placeholder="https://example.com/webhooks"
        autoComplete="off"
        focusFirst
      />
      <TextField {...field("description")} optional hint="Only you can see this" maxLength={200} autoComplete="off" />
      <EventTypesField {...field("eventTypes")} />
    </FormDialog>
  );
}

/** Checkboxes for the events of an endpoint, each with a description. */
function EventTypesField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { value, frame, box } = useField(props);
  const { label, error } = frame;
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const offered = listEventTypes();
  const choose = (isWanted: (type: string) => boolean) => box.onChange(offered.filter(isWanted));
  const hasAll = offered.every((type) => chosen.includes(type));
  return (
    <div role="group" aria-labelledby={`${box.id}-name`} aria-describedby={box["aria-describedby"]}>
      <Group justify="space-between" mb="xs">
        <Input.Label labelElement="div" id={`${box.id}-name`}>
          {label}
        </Input.Label>
        <Button variant="subtle" size="compact-sm" onClick={() => choose(() => !hasAll)}>
          {hasAll ? "Choose none" : "Choose all"}
        </Button>
      </Group>
      <Paper withBorder p="md">
        <Stack gap="sm">
          {offered.map((type) => (
            <Checkbox
              key={type}
              name={box.name}
              label={
                <Text span ff="monospace" size="sm" fw={600} data-break="anywhere">
                  {type}
                </Text>
              }
              description={describeEvent(type)}
              checked={chosen.includes(type)}
              aria-invalid={box["aria-invalid"]}
              error={error !== undefined}
              onBlur={box.onBlur}
              onChange={({ currentTarget: { checked } }) =>
                choose((one) => (one === type ? checked : chosen.includes(one)))
              }
            />
          ))}
        </Stack>
      </Paper>
      {error !== undefined && <Input.Error id={`${box.id}-error`}>{error}</Input.Error>}
    </div>
  );
}
