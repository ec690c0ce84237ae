import { buildVersionRules } from "#schema/software.ts";
import { useSetSoftwareVersionMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface BuildVersionDialogProps extends DialogControl {
  build: { readonly id: string; readonly fileName?: string };
  onSaved: () => void;
}

/** Dialog that gives a draft its version, which publishing needs. */
export default function BuildVersionDialog({ build, onSaved, ...dialog }: BuildVersionDialogProps) {
  const [setVersion] = useSetSoftwareVersionMutation();
  const form = useAppForm(buildVersionRules, { defaultValues: { version: "" } });
  return (
    <FormDialog
      {...dialog}
      title="Enter the version"
      form={form}
      fallback="Unable to save the version."
      onSubmit={({ version }) => setVersion({ variables: { buildId: build.id, version } })}
      success={({ version }) => `The version is ${version}. The build can be published now.`}
      onDone={onSaved}
    >
      <TextField
        control={form.control}
        name="version"
        label="Version"
        hint={build.fileName ? `The files of ${build.fileName} don't state one.` : "The files don't state one."}
        autoComplete="off"
        focusFirst
      />
    </FormDialog>
  );
}
