import type { FieldValues } from "react-hook-form";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, type AppDialogProps, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, type AppFormProps } from "./app-form.tsx";
import { SubmitButton } from "./form-parts.tsx";

interface SubmitLabel {
  /** Label of the button that submits the form. */
  submit: string;
  /** For actions that can't be undone. */
  danger?: boolean;
}

/** A dialog with a form. */
export function FormDialog<TValues extends FieldValues>({
  opened,
  onClose,
  title,
  size,
  isPersistent = false,
  children,
  submit,
  danger = false,
  ...form
}: AppDialogProps & AppFormProps<TValues> & SubmitLabel) {
  return (
    <AppDialog opened={opened} onClose={onClose} title={title} size={size} isPersistent={isPersistent}>
      <AppForm {...form}>
        {children}
        <FormDialogActions submit={submit} danger={danger} onCancel={onClose} />
      </AppForm>
    </AppDialog>
  );
}

/** Buttons below a form in a dialog. */
export function FormDialogActions({ submit, danger = false, onCancel }: SubmitLabel & { onCancel: () => void }) {
  return (
    <DialogActions>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <SubmitButton danger={danger}>{submit}</SubmitButton>
    </DialogActions>
  );
}
