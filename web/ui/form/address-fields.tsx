import { useEffect } from "react";
import type { Control, FieldPath, FieldPathValue, FieldValues, UseFormReturn } from "react-hook-form";
import { useWatch } from "react-hook-form";
import { countries } from "#schema/countries.ts";
import { statesByCountry } from "#schema/states.ts";
import { SelectField, TextField } from "./fields.tsx";
import { FieldColumns } from "./form-parts.tsx";

/** The address as it stands in a form (spec, public §3). */
export interface AddressValues {
  unitNumber?: string | undefined;
  streetNumber: string;
  streetName: string;
  city: string;
  state: string;
  postCode: string;
  country: string;
}

/**
 * Manual entry of an address with the labels of spec §2. State is a select for Australia and the United States, free
 * text elsewhere; a state that the newly chosen country does not know is emptied.
 */
export function AddressFields<TValues extends FieldValues & AddressValues>({ form }: { form: UseFormReturn<TValues> }) {
  const control = form.control as Control<TValues>;
  const field = (name: keyof AddressValues) => ({ control, name: name as FieldPath<TValues> });
  const country: unknown = useWatch({ control, name: "country" as FieldPath<TValues> });
  const states = typeof country === "string" ? statesByCountry[country] : undefined;

  useEffect(() => {
    const name = "state" as FieldPath<TValues>;
    const chosen: unknown = form.getValues(name);
    if (!states || !chosen || states.some((state) => state.value === chosen)) return;
    form.setValue(name, "" as FieldPathValue<TValues, FieldPath<TValues>>, { shouldDirty: true });
  }, [form, states]);

  return (
    <>
      <FieldColumns>
        <TextField {...field("unitNumber")} label="Unit Number" optional autoComplete="off" />
        <TextField {...field("streetNumber")} label="Street Number" autoComplete="off" />
      </FieldColumns>
      <TextField {...field("streetName")} label="Street Name" autoComplete="address-line1" />
      <FieldColumns shares={[1.5, 1.2, 1]}>
        <TextField {...field("city")} label="City" autoComplete="address-level2" />
        {states ? (
          <SelectField
            {...field("state")}
            label="State"
            autoComplete="address-level1"
            placeholder="Choose"
            options={states}
          />
        ) : (
          <TextField {...field("state")} label="State" autoComplete="address-level1" />
        )}
        <TextField
          {...field("postCode")}
          label="Post Code"
          autoComplete="postal-code"
          inputMode={states ? "numeric" : undefined}
        />
      </FieldColumns>
      <SelectField {...field("country")} label="Country" autoComplete="country-name" options={countries} />
    </>
  );
}
