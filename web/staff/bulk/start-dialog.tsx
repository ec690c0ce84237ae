import { TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { DEACTIVATE_WORD } from "#schema/bulk-run.ts";
import { type BulkKind, useStartBulkRunMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { type BulkRunFields } from "./bulk-runs-table.tsx";

const nouns: Readonly<Record<BulkKind, readonly [verb: string, one: string, many: string]>> = {
  IMPORT_USERS: ["created", "user", "users"],
  IMPORT_LICENCES: ["added", "licence", "licences"],
  EXTEND_LICENCES: ["extended", "licence", "licences"],
  DEACTIVATE_LICENCES: ["deactivated", "licence", "licences"],
};

interface StartDialogProps extends DialogControl {
  run: BulkRunFields;
  onStarted: () => void;
}

/** Confirms the start of a run with the number of rows to process and skip. Deactivating requires a typed word. */
export default function StartDialog({ run, onStarted, opened, onClose }: StartDialogProps) {
  const [start] = useStartBulkRunMutation();
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isDeactivation = run.kind === "DEACTIVATE_LICENCES";
  const [verb, one, many] = nouns[run.kind];

  async function confirm() {
    notify.clearErrors();
    if (isDeactivation && typed.trim() !== DEACTIVATE_WORD) {
      setError(`Type ${DEACTIVATE_WORD} to continue.`);
      // Screen readers read the message with the field.
      return field.current?.focus();
    }
    try {
      await start({ variables: { id: run.id, confirmation: isDeactivation ? typed : null } });
      onClose();
      onStarted();
    } catch (failure) {
      notify.failure(failure, "Unable to start the bulk run.");
    }
  }

  return (
    <ConfirmDialog
      opened={opened}
      title="Start this run?"
      confirmLabel="Start run"
      danger={isDeactivation}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>
        <b>{formatNumber(run.planned)}</b> {run.planned === 1 ? one : many} will be {verb}
        {run.faulty > 0 && (
          <>
            . <b>{formatNumber(run.faulty)}</b> {run.faulty === 1 ? "row" : "rows"} with errors will be skipped
          </>
        )}
        .
        {isDeactivation &&
          " Deactivated licences stop working, and can only be reinstated one by one. Customers with a confirmed address are notified by email."}
      </p>
      {isDeactivation && (
        <TextInput
          ref={field}
          label={`Type ${DEACTIVATE_WORD} to confirm`}
          value={typed}
          autoComplete="off"
          error={error}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setError(null);
          }}
        />
      )}
    </ConfirmDialog>
  );
}
