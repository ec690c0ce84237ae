import { Text } from "@mantine/core";
import { getLabels } from "#schema/field.ts";
import { changeSeatsRules, type ChangeSeatsValues, licenceFields } from "#schema/licence.ts";
import { type ManagedLicenceFragment, useChangeLicenceSeatsMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, SubmitButton } from "#web/ui/form/form-parts.tsx";

const labels = getLabels(licenceFields);

interface ChangeSeatsDialogProps {
  userId: string;
  /** Null while the dialog is closed. */
  licence: ManagedLicenceFragment | null;
  onClose: () => void;
}

/** Dialog that changes how many users and machines a licence allows. */
export function ChangeSeatsDialog({ licence, ...props }: ChangeSeatsDialogProps) {
  return (
    <AppDialog opened={licence !== null} title="Change seats" onClose={props.onClose}>
      {licence && <ChangeSeatsForm key={licence.id} licence={licence} {...props} />}
    </AppDialog>
  );
}

function ChangeSeatsForm(props: ChangeSeatsDialogProps & { licence: ManagedLicenceFragment }) {
  const { userId, licence, onClose } = props;
  const [changeSeats] = useChangeLicenceSeatsMutation();
  const { numberOfUsers, numberOfMachines, allowOnVms } = licence;
  const form = useAppForm(changeSeatsRules, { defaultValues: { numberOfUsers, numberOfMachines, allowOnVms } });
  const { control } = form;

  async function submit(input: ChangeSeatsValues) {
    await changeSeats({ variables: { userId, licenceId: licence.id, input } });
    notify.success("You have successfully changed the seats.");
    onClose();
  }

  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to change the seats." label="Change seats">
      <Text c="dimmed">
        {licence.product} {licence.subscriptionLevel} (
        <Text span inherit style={{ whiteSpace: "nowrap" }}>
          {licence.supportCode}
        </Text>
        ). Devices get the change with their next request.
      </Text>
      <FieldColumns>
        <TextField control={control} name="numberOfUsers" label={labels.numberOfUsers} inputMode="numeric" />
        <TextField control={control} name="numberOfMachines" label={labels.numberOfMachines} inputMode="numeric" />
      </FieldColumns>
      <CheckboxField control={control} name="allowOnVms" label={labels.allowOnVms} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
