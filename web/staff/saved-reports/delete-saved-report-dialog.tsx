import { type SavedReportFieldsFragment, useDeleteSavedReportMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";

/** Confirms the deletion of a saved report. `report` is null while the dialog is closed. */
export function DeleteSavedReportDialog(props: {
  report: SavedReportFieldsFragment | null;
  onClose: () => void;
  onSettled: () => void;
}) {
  const { onClose, onSettled } = props;
  const [deleteSavedReport] = useDeleteSavedReportMutation();
  const report = useLastValue(props.report);

  async function remove() {
    notify.clearErrors();
    try {
      await deleteSavedReport({ variables: { id: report?.id ?? "" } });
      notify.success("The saved report has been deleted.");
    } catch (error) {
      notify.failure(error, "Unable to delete the saved report.");
    }
    onClose();
    // Reload after an error too, because the report may have been deleted in another tab.
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={props.report !== null}
      title="Delete saved report"
      confirmLabel="Delete"
      danger
      onConfirm={remove}
      onCancel={onClose}
    >
      {report &&
        `“${report.name}” will no longer be emailed, and links already emailed will stop working. This can't be undone. Do you want to continue?`}
    </ConfirmDialog>
  );
}
