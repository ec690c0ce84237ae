import { Text } from "@mantine/core";
import { useNavigate } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import { bulkKinds, userRunRules, type UserRunValues } from "#schema/bulk-run.ts";
import { type UserSelectionInput, useOpenBulkRunMutation } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { toCode } from "#schema/closed-list.ts";

type Kind = "extend-licences" | "deactivate-licences";

interface UserRunDialogProps {
  /** Null while the dialog is closed. */
  kind: Kind | null;
  users: UserSelectionInput;
  /** Number of users, or null if they aren't all counted. */
  count: number | null;
  onClose: () => void;
}

const titles: Readonly<Record<Kind, string>> = {
  "extend-licences": "Extend licences",
  "deactivate-licences": "Deactivate licences",
};

/** Creates a bulk run for the licences of selected users. The run's page shows every planned change before it starts. */
export function UserRunDialog({ kind, ...others }: UserRunDialogProps) {
  const shown = useLastValue(kind);
  return (
    <AppDialog opened={kind !== null} title={shown ? titles[shown] : ""} onClose={others.onClose}>
      {shown && <UserRunForm key={shown} kind={shown} {...others} />}
    </AppDialog>
  );
}

function UserRunForm({ kind, users, count, onClose }: UserRunDialogProps & { kind: Kind }) {
  const navigate = useNavigate();
  const [open] = useOpenBulkRunMutation();
  const form = useAppForm(userRunRules, {
    defaultValues: { kind, expiryDate: "", addDays: "", onlyTrials: false } as never,
  });
  const { control } = form;

  async function submit({ expiryDate, addDays, onlyTrials }: UserRunValues) {
    const { data } = await open({
      variables: {
        input: {
          kind: toCode(bulkKinds, kind),
          expiryDate: expiryDate ? expiryDate.toISOString().slice(0, 10) : null,
          addDays: addDays ?? null,
          onlyTrials: onlyTrials ?? false,
          users,
        },
      },
    });
    if (data) await navigate(paths.bulkRun.href({ id: data.openBulkRun.id }));
  }

  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to check the licences.">
      <Text>
        {count === null ? "All users that match" : `${formatNumber(count)} ${count === 1 ? "user" : "users"}`}. The next
        page lists every licence with its planned change. Nothing changes until you start the run there.
      </Text>
      {kind === "extend-licences" && (
        <FieldColumns>
          <DateField control={control} name="expiryDate" label="New expiry date" optional="unsaid" />
          <TextField control={control} name="addDays" label="Or days to add" inputMode="numeric" optional="unsaid" />
        </FieldColumns>
      )}
      <CheckboxField control={control} name="onlyTrials" label="Only trial licences" />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Check licences</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
