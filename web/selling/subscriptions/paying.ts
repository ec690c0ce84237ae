import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import type { CardFieldName } from "#web/ui/card-fields/card-entry.ts";
import { notify } from "#web/platform/notifications.ts";

/** Says at the card why it was refused. */
export function showCardRefusal<TValues extends FieldValues>(
  form: UseFormReturn<TValues>,
  field: CardFieldName,
  message: string,
): void {
  form.setError(field as Path<TValues>, { type: "server", message }, { shouldFocus: true });
  notify.error(message);
}
