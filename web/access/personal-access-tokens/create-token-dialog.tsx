import {
  MAX_TOKEN_DAYS,
  personalAccessTokenRules,
  type PersonalAccessTokenValues,
  explainScope,
  getRoleScopes,
  scopes,
} from "#schema/personal-access-token.ts";
import type { Role } from "#web/platform/session.ts";
import { useCreatePersonalAccessTokenMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { DAY_MS, formatDate } from "#schema/dates.ts";
import { toCode, findLabel } from "#schema/closed-list.ts";
import { Checkbox, Code, Divider, Group, Input, Paper, Text } from "@mantine/core";
import { Fragment } from "react";
import type { FieldValues } from "react-hook-form";
import { type FieldProps, useField } from "#web/ui/form/use-field.tsx";

interface CreateTokenDialogProps extends DialogControl {
  role: Role;
  onCreated: (created: { name: string; secret: string }) => void;
}

/** Lifetimes offered for a token, in days. */
const expiryChoices = [7, 30, 90, 180, MAX_TOKEN_DAYS];

const formatDays = (days: number) => (days === MAX_TOKEN_DAYS ? "1 year" : `${days} days`);

const getExpiryOptions = () =>
  expiryChoices.map((days) => ({
    value: String(days),
    label: `${formatDays(days)} (until ${formatDate(new Date(Date.now() + days * DAY_MS))})`,
  }));

/** Dialog that creates a token. The form is empty each time it opens. */
export default function CreateTokenDialog({ role, onCreated, ...dialog }: CreateTokenDialogProps) {
  const [create] = useCreatePersonalAccessTokenMutation();
  // The values of the select and of the networks are texts. The form rules convert them.
  const form = useAppForm(personalAccessTokenRules, {
    defaultValues: { name: "", expiresInDays: "30", networks: "", scopes: [] } as never,
  });
  const { control } = form;

  async function send(values: PersonalAccessTokenValues) {
    const input = { ...values, scopes: values.scopes.map((scope) => toCode(scopes, scope)) };
    const { data } = await create({ variables: { input } });
    dialog.onClose();
    if (data) onCreated({ name: values.name, secret: data.createPersonalAccessToken.secret });
  }

  return (
    <FormDialog
      {...dialog}
      title="Create token"
      size="lg"
      form={form}
      onSubmit={send}
      fallback="Unable to create the token."
      submit="Create token"
    >
      <TextField
        control={control}
        name="name"
        label="Name"
        hint="The program that will use the token, such as “Nightly licence export”"
        autoComplete="off"
        maxLength={80}
        focusFirst
      />
      <SelectField control={control} name="expiresInDays" label="Expiry" options={getExpiryOptions()} />
      <TextField
        control={control}
        name="networks"
        label="IP addresses and networks"
        optional
        hint="From which the token is accepted, such as 203.0.113.0/24, 2001:db8::/48. Empty: from everywhere"
        autoComplete="off"
      />
      <ScopesField control={control} name="scopes" label="Scopes" role={role} />
    </FormDialog>
  );
}

/** Checkboxes for the scopes that a role can choose, each with an explanation. The value is a list of scope names. */
function ScopesField<TValues extends FieldValues>(props: FieldProps<TValues> & { role: Role }) {
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
