import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { reasonRules } from "#schema/plan.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface ReasonDialogProps extends DialogControl {
  title: string;
  confirmLabel: string;
  children: ReactNode;
  fallback: string;
  /** Does it. The dialog closes when it succeeds. */
  onConfirm: (reason: string) => Promise<void>;
}

/** A dialog that says what will happen and requires a reason. */
export default function ReasonDialog(props: ReasonDialogProps) {
  const { title, confirmLabel, children, fallback, onConfirm, ...dialog } = props;
  const form = useAppForm(reasonRules, { defaultValues: { reason: "" } });
  return (
    <FormDialog
      {...dialog}
      title={title}
      form={form}
      fallback={fallback}
      onSubmit={async ({ reason }) => {
        await onConfirm(reason);
        dialog.onClose();
      }}
      submit={confirmLabel}
    >
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
    </FormDialog>
  );
}
