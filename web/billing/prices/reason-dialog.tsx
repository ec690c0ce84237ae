import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { reasonRules } from "#schema/plan.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import type { DialogControl } from "#web/ui/dialogs.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";

export interface ReasonDialogProps extends DialogControl {
  title: string;
  confirmLabel: string;
  /** Sentences about the effect of the action. */
  children: ReactNode;
  /** Message if the API gives none. */
  fallback: string;
  onConfirm: (reason: string) => Promise<void>;
}

/** A dialog that says what will happen and requires a reason. */
export function ReasonDialog({ opened, title, onClose, ...form }: ReasonDialogProps) {
  return (
    <AppDialog opened={opened} title={title} onClose={onClose}>
      {opened && <ReasonForm onClose={onClose} {...form} />}
    </AppDialog>
  );
}

function ReasonForm(props: Omit<ReasonDialogProps, "opened" | "title">) {
  const { confirmLabel, children, fallback, onConfirm, onClose } = props;
  const form = useAppForm(reasonRules, { defaultValues: { reason: "" } });
  return (
    <AppForm form={form} fallback={fallback} onSubmit={({ reason }) => onConfirm(reason)}>
      <Stack gap="xs">{children}</Stack>
      <TextField
        control={form.control}
        name="reason"
        label="Reason"
        hint="Recorded in the audit log."
        autoComplete="off"
        maxLength={500}
        focusFirst
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>{confirmLabel}</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
