import { Button } from "@mantine/core";
import { buildVersionRules } from "#schema/software.ts";
import { useSetSoftwareVersionMutation } from "#web/generated/graphql.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import type { DialogControl } from "#web/ui/dialogs.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";

interface BuildVersionDialogProps extends DialogControl {
  build: { readonly id: string; readonly fileName?: string };
  onSaved: () => void;
}

/** Dialog that gives a draft its version, which publishing needs. */
export function BuildVersionDialog({ opened, ...others }: BuildVersionDialogProps) {
  return (
    <AppDialog opened={opened} title="Enter the version" onClose={others.onClose}>
      {opened && <BuildVersionForm {...others} />}
    </AppDialog>
  );
}

function BuildVersionForm({ build, onClose, onSaved }: Omit<BuildVersionDialogProps, "opened">) {
  const [setVersion] = useSetSoftwareVersionMutation();
  const form = useAppForm(buildVersionRules, { defaultValues: { version: "" } });
  return (
    <AppForm
      form={form}
      fallback="Unable to save the version."
      onSubmit={async ({ version }) => {
        await setVersion({ variables: { buildId: build.id, version } });
        notify.success(`The version is ${version}. The build can be published now.`);
        onClose();
        onSaved();
      }}
    >
      <TextField
        control={form.control}
        name="version"
        label="Version"
        hint={build.fileName ? `The files of ${build.fileName} don't state one.` : "The files don't state one."}
        autoComplete="off"
        focusFirst
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
