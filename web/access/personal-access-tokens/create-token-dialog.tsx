import { Button } from "@mantine/core";
import {
  MAX_TOKEN_DAYS,
  personalAccessTokenRules,
  type PersonalAccessTokenValues,
  scopes as scopeList,
} from "#schema/personal-access-token.ts";
import type { Role } from "#web/platform/session.ts";
import { useCreatePersonalAccessTokenMutation } from "#web/generated/graphql.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { formatDate } from "#schema/dates.ts";
import { ScopesField } from "./scopes-field.tsx";
import { toCode } from "#schema/closed-list.ts";

interface CreateTokenDialogProps {
  opened: boolean;
  role: Role;
  onClose: () => void;
  onCreated: (created: { name: string; secret: string }) => void;
}

const DAY_MS = 86_400_000;

/** Lifetimes offered for a token, in days. */
const expiryChoices = [7, 30, 90, 180, MAX_TOKEN_DAYS];

const formatDays = (days: number) => (days === MAX_TOKEN_DAYS ? "1 year" : `${days} days`);

const getExpiryOptions = () =>
  expiryChoices.map((days) => ({
    value: String(days),
    label: `${formatDays(days)} (until ${formatDate(new Date(Date.now() + days * DAY_MS).toISOString())})`,
  }));

/** Dialog that creates a token. The form is empty each time it opens. */
export function CreateTokenDialog({ opened, ...others }: CreateTokenDialogProps) {
  return (
    <AppDialog opened={opened} title="Create token" size="lg" onClose={others.onClose}>
      {opened && <TokenForm {...others} />}
    </AppDialog>
  );
}

function TokenForm({ role, onClose, onCreated }: Omit<CreateTokenDialogProps, "opened">) {
  const [create] = useCreatePersonalAccessTokenMutation();
  // The values of the select and of the networks are texts. The form rules convert them.
  const form = useAppForm(personalAccessTokenRules, {
    defaultValues: { name: "", expiresInDays: "30", networks: "", scopes: [] } as never,
  });
  const { control } = form;

  async function send({ name, scopes, networks, expiresInDays }: PersonalAccessTokenValues) {
    const { data } = await create({
      variables: { input: { name, scopes: scopes.map((scope) => toCode(scopeList, scope)), networks, expiresInDays } },
    });
    if (data) onCreated({ name, secret: data.createPersonalAccessToken.secret });
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to create the token.">
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
        label="IP addresses and networks (optional)"
        hint="From which the token is accepted, such as 203.0.113.0/24, 2001:db8::/48. Empty: from everywhere"
        autoComplete="off"
      />
      <ScopesField control={control} name="scopes" label="Scopes" role={role} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Create token</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
