import type { FieldValues } from "react-hook-form";
import type { AddressValues } from "#schema/address-forms.ts";
import { AddressInputs, type AddressInputsProps } from "./address-inputs.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";

/** The address fields of signed-in forms. */
export function AddressFields<TValues extends FieldValues & AddressValues>(
  props: Omit<AddressInputsProps<TValues>, "inputs">,
) {
  return <AddressInputs {...props} inputs={{ SelectField, TextField }} />;
}
