import { getApolloContext } from "@apollo/client/react";
import { use } from "react";
import type { FieldValues } from "react-hook-form";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode, getFieldErrors } from "#web/platform/server-error.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, type AppDialogProps, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, type AppFormProps, useFormBusy } from "./app-form.tsx";
import { SubmitButton } from "./form-parts.tsx";

interface SubmitLabel {
  /** Label of the button that submits the form. Default `Save`. */
  submit?: string;
  /** For actions that can't be undone. */
  danger?: boolean;
}

interface AfterSubmit<TValues, TResult> {
  /** Submits the validated values, as in a form on a page. With `success`, `STAYS_OPEN` leaves the dialog as it is. */
  onSubmit: (values: TValues) => TResult | Promise<TResult>;
  /** Closes the dialog after a successful submit and shows this notification. */
  success?: string | ((values: TValues, result: Exclude<Awaited<TResult>, typeof STAYS_OPEN>) => string);
  /** Called when the dialog has closed with `success`. */
  onDone?: ((result: Exclude<Awaited<TResult>, typeof STAYS_OPEN>) => unknown) | undefined;
}

/** Result of a submit after which the user has to do more in the dialog. */
export const STAYS_OPEN = Symbol("stays open");

/** A dialog with a form, which has the dialog's title as its name by default. */
export function FormDialog<TValues extends FieldValues, TResult>({
  opened,
  onClose,
  title,
  size,
  isPersistent = false,
  children,
  submit = "Save",
  danger = false,
  onSubmit,
  success,
  onDone,
  ...form
}: AppDialogProps & Omit<AppFormProps<TValues>, "onSubmit"> & AfterSubmit<TValues, TResult> & SubmitLabel) {
  const submitValues = useDialogSubmit(onSubmit);

  async function send(values: TValues) {
    const result = await submitValues(values);
    if (success === undefined || result === STAYS_OPEN) return;
    const done = result as Exclude<Awaited<TResult>, typeof STAYS_OPEN>;
    notify.success(typeof success === "function" ? success(values, done) : success);
    onClose();
    onDone?.(done);
  }

  return (
    <AppDialog opened={opened} onClose={onClose} title={title} size={size} isPersistent={isPersistent}>
      <AppForm label={title} {...form} onSubmit={send}>
        {children}
        <FormDialogActions submit={submit} danger={danger} onCancel={onClose} />
      </AppForm>
    </AppDialog>
  );
}

/**
 * Returns a function that submits a dialog's form. If the API refuses because something has changed or is gone, the page shows
 * it as it was, and opening the dialog again would start from that: the page reads again what it shows.
 */
export function useDialogSubmit<TValues, TResult>(onSubmit: (values: TValues) => TResult | Promise<TResult>) {
  const { client } = use(getApolloContext());
  return async (values: TValues): Promise<TResult> => {
    try {
      return await onSubmit(values);
    } catch (error) {
      const code = getErrorCode(error);
      // A refused value, such as a name that is taken, has a field.
      const isStale = code === "NOT_FOUND" || (code === "CONFLICT" && Object.keys(getFieldErrors(error)).length === 0);
      if (isStale) void client?.refetchQueries({ include: "active" }).catch(() => undefined);
      throw error;
    }
  };
}

/** Buttons below a form in a dialog. */
export function FormDialogActions({ submit, danger = false, onCancel }: SubmitLabel & { onCancel: () => void }) {
  const busy = useFormBusy();
  return (
    <DialogActions>
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Cancel
      </Button>
      <SubmitButton danger={danger}>{submit}</SubmitButton>
    </DialogActions>
  );
}
