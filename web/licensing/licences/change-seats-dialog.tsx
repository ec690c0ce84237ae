import { Text } from "@mantine/core";
import { changeSeatsRules, licenceFields } from "#schema/licence.ts";
import { type ManagedLicenceFragment, useChangeLicenceSeatsMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextField } from "#web/ui/form/fields.tsx";
import { bindFields } from "#web/ui/form/use-field.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";

interface ChangeSeatsDialogProps extends DialogControl {
  userId: string;
  licence: ManagedLicenceFragment;
}

/** Dialog that changes how many users and machines a licence allows. */
export default function ChangeSeatsDialog({ userId, licence, ...dialog }: ChangeSeatsDialogProps) {
  const [changeSeats] = useChangeLicenceSeatsMutation();
  const { numberOfUsers, numberOfMachines, allowOnVms } = licence;
  const form = useAppForm(changeSeatsRules, { defaultValues: { numberOfUsers, numberOfMachines, allowOnVms } });
  const field = bindFields(licenceFields, form.control);

  return (
    <FormDialog
      {...dialog}
      title="Change seats"
      form={form}
      onSubmit={(input) => changeSeats({ variables: { userId, licenceId: licence.id, input } })}
      success="You have successfully changed the seats."
      fallback="Unable to change the seats."
    >
      <Text c="dimmed">
        {licence.product} {licence.subscriptionLevel} (
        <Text span inherit data-break="never">
          {licence.supportCode}
        </Text>
        ). Devices get the change with their next request.
      </Text>
      <FieldColumns>
        <TextField {...field("numberOfUsers")} inputMode="numeric" />
        <TextField {...field("numberOfMachines")} inputMode="numeric" />
      </FieldColumns>
      <CheckboxField {...field("allowOnVms")} />
    </FormDialog>
  );
}
