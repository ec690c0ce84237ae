import { Button, Checkbox, Group, Input, Paper, Stack, Text } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { type FieldProps, useField } from "#web/ui/form/use-field.tsx";
import { listEventTypes } from "./webhook-labels.ts";
import { findEntry } from "#schema/closed-list.ts";
import { webhookEvents } from "#schema/webhooks.ts";

/** Checkboxes for the events of an endpoint, each with a description. */
export function EventTypesField<TValues extends FieldValues>(props: FieldProps<TValues>) {
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
                <Text span ff="monospace" size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
                  {type}
                </Text>
              }
              description={findEntry(webhookEvents, type)?.description}
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
