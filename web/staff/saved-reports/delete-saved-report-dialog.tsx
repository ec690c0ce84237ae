import { type SavedReportFieldsFragment, useDeleteSavedReportMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLast } from "#web/ui/use-last.ts";

/** Asks before a saved report is deleted; `report` is null while the dialog is closed. */
export function DeleteSavedReportDialog(props: {
  report: SavedReportFieldsFragment | null;
  onClose: () => void;
  onSettled: () => void;
}) {
  const { onClose, onSettled } = props;
  const [deleteSavedReport] = useDeleteSavedReportMutation();
  const report = useLast(props.report);

  async function remove() {
    notify.clearErrors();
    try {
      await deleteSavedReport({ variables: { id: report?.id ?? "" } });
      notify.success("The saved report has been deleted.");
    } catch (error) {
      notify.failure(error, "Unable to delete the saved report.");
    }
    onClose();
    // Also after a refusal: it may have been deleted in another tab.
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={props.report !== null}
      title="Delete Saved Report"
      danger
      onConfirm={remove}
      onCancel={onClose}
    >
      {report &&
        `“${report.name}” will not be mailed any more, and links that were mailed stop working. Do you want to go on?`}
    </ConfirmDialog>
  );
}
