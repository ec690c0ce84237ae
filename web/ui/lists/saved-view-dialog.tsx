import { savedViewFormRules, type ViewedList, viewedLists } from "#schema/saved-view.ts";
import { useSaveViewMutation, useUpdateSavedViewMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import type { EditedView } from "./saved-views-menu.tsx";
import { toCode } from "#schema/closed-list.ts";

interface SavedViewDialogProps {
  list: ViewedList;
  /** Null while the dialog is closed. */
  edited: EditedView | null;
  onClose: () => void;
  onSaved: (id: string | null) => void;
}

/** Names a new view, or renames a saved one. */
export function SavedViewDialog({ edited, ...others }: SavedViewDialogProps) {
  return (
    <AppDialog opened={edited !== null} title={edited?.id ? "Edit view" : "Save current view"} onClose={others.onClose}>
      {edited && <SavedViewForm edited={edited} {...others} />}
    </AppDialog>
  );
}

function SavedViewForm(props: SavedViewDialogProps & { edited: EditedView }) {
  const { list, edited, onClose, onSaved } = props;
  const { id, parameters, name, isDefault } = edited;
  const [save] = useSaveViewMutation();
  const [update] = useUpdateSavedViewMutation();
  const form = useAppForm(savedViewFormRules, { defaultValues: { name, isDefault } });
  const { control } = form;

  async function submit(values: { name: string; isDefault: boolean }) {
    const input = { name: values.name, isDefault: values.isDefault, parameters };
    if (id) await update({ variables: { id, input } });
    const saved = id ? null : await save({ variables: { input: { ...input, list: toCode(viewedLists, list) } } });
    notify.success(id ? "The view has been updated." : "The view has been saved.");
    onClose();
    onSaved(saved?.data?.saveView.id ?? id);
  }

  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to save the view.">
      <TextField
        control={control}
        name="name"
        label="Name"
        hint="Saves the search, filter, order, columns and page size. Only you can see your views."
        autoComplete="off"
        maxLength={80}
        focusFirst
      />
      <CheckboxField control={control} name="isDefault" label="Open the list with this view" />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
