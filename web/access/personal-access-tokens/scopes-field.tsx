import { Checkbox, Code, Divider, Group, Input, Paper, Text } from "@mantine/core";
import { Fragment } from "react";
import type { FieldValues } from "react-hook-form";
import { explainScope, getRoleScopes, scopes } from "#schema/personal-access-token.ts";
import type { Role } from "#web/platform/session.ts";
import { type FieldProps, useField } from "#web/ui/form/use-field.tsx";
import { findLabel } from "#schema/closed-list.ts";

/** Checkboxes for the scopes that a role can choose, each with an explanation. The value is a list of scope names. */
export function ScopesField<TValues extends FieldValues>(props: FieldProps<TValues> & { role: Role }) {
  const { value, frame, box } = useField(props);
  const { label, error } = frame;
  const { id } = box;
  const selected = Array.isArray(value) ? (value as unknown[]) : [];
  const availableScopes = getRoleScopes(props.role);
  return (
    <div
      role="group"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-hint${error === undefined ? "" : ` ${id}-error`}`}
    >
      <Input.Label labelElement="div" id={`${id}-name`}>
        {label}
      </Input.Label>
      <Input.Description id={`${id}-hint`}>
        Choose only the scopes the program needs. Manage scopes don't include reading.
      </Input.Description>
      <Paper withBorder>
        {availableScopes.map((scope, index) => (
          <Fragment key={scope}>
            {index > 0 && <Divider />}
            <Checkbox
              px="md"
              py="sm"
              name={box.name}
              label={
                <Group component="span" justify="space-between" gap="0 0.75rem">
                  <Text span inherit id={`${id}-${scope}`} fw={560}>
                    {findLabel(scopes, scope)}
                  </Text>
                  <Code>{scope}</Code>
                </Group>
              }
              description={explainScope(scope, props.role)}
              styles={{ labelWrapper: { flex: 1 } }}
              checked={selected.includes(scope)}
              aria-invalid={box["aria-invalid"]}
              aria-labelledby={`${id}-${scope}`}
              error={error !== undefined}
              onBlur={box.onBlur}
              onChange={(event) => {
                const isSelected = event.currentTarget.checked;
                box.onChange(availableScopes.filter((one) => (one === scope ? isSelected : selected.includes(one))));
              }}
            />
          </Fragment>
        ))}
      </Paper>
      {error !== undefined && <Input.Error id={`${id}-error`}>{error}</Input.Error>}
    </div>
  );
}
