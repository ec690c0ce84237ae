import { savedViewFormRules, type ViewedList, viewedLists } from "#schema/saved-view.ts";
import { useSaveViewMutation, useUpdateSavedViewMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import type { EditedView } from "./saved-views-menu.tsx";
import { toCode } from "#schema/closed-list.ts";

interface SavedViewDialogProps extends DialogControl {
  list: ViewedList;
  edited: EditedView;
  onSaved: (id: string | null) => void;
}

/** Names a new view, or renames a saved one. */
export default function SavedViewDialog({ list, edited, onSaved, ...dialog }: SavedViewDialogProps) {
  const { id, parameters, name, isDefault } = edited;
  const [save] = useSaveViewMutation();
  const [update] = useUpdateSavedViewMutation();
  const form = useAppForm(savedViewFormRules, { defaultValues: { name, isDefault } });
  const { control } = form;

  async function submit(values: { name: string; isDefault: boolean }) {
    const input = { name: values.name, isDefault: values.isDefault, parameters };
    if (id) await update({ variables: { id, input } });
    const saved = id ? null : await save({ variables: { input: { ...input, list: toCode(viewedLists, list) } } });
    return saved?.data?.saveView.id ?? id;
  }

  return (
    <FormDialog
      {...dialog}
      title={id ? "Edit view" : "Save current view"}
      form={form}
      onSubmit={submit}
      success={id ? "The view has been updated." : "The view has been saved."}
      onDone={onSaved}
      fallback="Unable to save the view."
    >
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
    </FormDialog>
  );
}
