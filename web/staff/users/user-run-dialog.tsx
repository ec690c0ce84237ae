import { Text } from "@mantine/core";
import { useNavigate } from "react-router-dom";
import { formatCount } from "#schema/numbers.ts";
import { bulkKinds, userRunRules, type UserRunValues } from "#schema/bulk-run.ts";
import { type UserSelectionInput, useOpenBulkRunMutation } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField, TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import { findLabel, toCode } from "#schema/closed-list.ts";

interface UserRunDialogProps extends DialogControl {
  kind: "extend-licences" | "deactivate-licences";
  users: UserSelectionInput;
  /** Number of users, or null if they aren't all counted. */
  count: number | null;
}

/** Creates a bulk run for the licences of selected users. The run's page shows every planned change before it starts. */
export default function UserRunDialog({ kind, users, count, ...dialog }: UserRunDialogProps) {
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
    <FormDialog
      {...dialog}
      title={findLabel(bulkKinds, kind)}
      form={form}
      onSubmit={submit}
      fallback="Unable to check the licences."
      submit="Check licences"
    >
      <Text>
        {count === null ? "All users that match" : formatCount(count, "user")}. The next page lists every licence with
        its planned change. Nothing changes until you start the run there.
      </Text>
      {kind === "extend-licences" && (
        <FieldColumns>
          <DateField control={control} name="expiryDate" label="New expiry date" optional="unsaid" />
          <TextField control={control} name="addDays" label="Or days to add" inputMode="numeric" optional="unsaid" />
        </FieldColumns>
      )}
      <CheckboxField control={control} name="onlyTrials" label="Only trial licences" />
    </FormDialog>
  );
}
