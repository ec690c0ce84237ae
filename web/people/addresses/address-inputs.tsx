import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Control, FieldPath, FieldPathValue, FieldValues, UseFormReturn } from "react-hook-form";
import { useFormState, useWatch } from "react-hook-form";
import { countries, type StateEntry, statesByCountry } from "#schema/countries.ts";
import { type AddressValues, addressNames as names, getAddressForm } from "#schema/address-forms.ts";
import { type AddressParts, AddressSearch, type AddressSource } from "./address-search.tsx";
import classes from "./address-search.module.css";
import formClasses from "#web/ui/form/form.module.css";
import type * as fields from "#web/ui/form/fields.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";

export interface AddressInputsProps<TValues extends FieldValues> {
  form: UseFormReturn<TValues>;
  /** Adds a box that suggests addresses. The fields for manual entry are then folded until somebody needs them. */
  source?: AddressSource;
  /** The fields of public or of signed-in forms. */
  inputs: Pick<typeof fields, "SelectField" | "TextField">;
}

/** The address fields, with a search box if there is a `source`. */
export function AddressInputs<TValues extends FieldValues & AddressValues>(props: AddressInputsProps<TValues>) {
  const { form, source, inputs } = props;
  const { SelectField } = inputs;
  const control = form.control as Control<TValues>;
  const name = "country" as FieldPath<TValues>;
  const manual = <ManualFields form={form} inputs={inputs} />;
  const country = (
    <SelectField control={control} name={name} label="Country" autoComplete="country-name" options={countries} />
  );
  if (!source)
    return (
      <>
        {manual}
        {country}
      </>
    );
  return (
    <>
      {country}
      <SearchedAddress form={form} source={source}>
        {manual}
      </SearchedAddress>
    </>
  );
}

/**
 * A search box with a link to the fields for manual entry, or these fields with a link back. Both are shown when the fields
 * have values, or the search can't help.
 */
function SearchedAddress<TValues extends FieldValues & AddressValues>(props: {
  form: UseFormReturn<TValues>;
  source: AddressSource;
  children: ReactNode;
}) {
  const { form, source, children } = props;
  const control = form.control as Control<TValues>;
  const path = (name: keyof AddressValues) => name as FieldPath<TValues>;
  const values: unknown[] = useWatch({ control, name: names.map(path) });
  const country = values.at(-1);
  const { errors } = useFormState({ control, name: names.map(path) });
  const [choice, setChoice] = useState<"search" | "manual" | "both" | null>(null);

  // Shown in the same render as the errors, so that the first invalid field can take the focus, and until they are
  // corrected.
  const isFaulty = names.some((name) => errors[name] !== undefined);
  // Until the user chooses, values come from storage, a draft or the browser.
  const chosen = choice ?? (values.slice(0, -1).some(Boolean) ? "both" : "search");
  const mode = chosen === "search" && isFaulty ? "both" : chosen;
  const showFields = () => setChoice((before) => (before === "manual" ? "manual" : "both"));
  useEffect(() => {
    if (isFaulty) showFields();
  }, [isFaulty]);

  function fillIn(parts: AddressParts) {
    const { unitNumber, streetNumber, streetName, ...locality } = parts;
    // Keep the typed street if the suggestion has none.
    const hasStreet = streetNumber !== "" && streetName !== "";
    const street = hasStreet ? { unitNumber, streetNumber, streetName } : streetName ? { streetName } : {};
    const known = { ...locality, ...street };
    if (!countries.includes(known.country)) known.country = String(country);
    for (const [name, value] of Object.entries(known))
      form.setValue(path(name as keyof AddressValues), value as FieldPathValue<TValues, FieldPath<TValues>>, {
        shouldDirty: true,
      });
    const faulty = names.map(path).filter((name) => form.getFieldState(name).invalid);
    if (faulty.length > 0) void form.trigger(faulty);
    showFields();
  }

  return (
    <>
      {mode !== "manual" && (
        <AddressSearch
          source={source}
          country={typeof country === "string" ? country : ""}
          onPick={fillIn}
          onManualEntry={showFields}
        />
      )}
      <button
        type="button"
        className={classes.switch}
        onClick={() => setChoice(mode === "manual" ? "search" : "manual")}
      >
        {mode === "manual" ? "Use the address search" : "Enter address manually"}
      </button>
      <div
        className={`${formClasses.form} ${classes.fields}`}
        data-folded={mode === "search" || undefined}
        onFocus={showFields}
      >
        {children}
      </div>
    </>
  );
}

/**
 * Fields for manual entry. State is a select for Australia and the United States and free text elsewhere. Their names, and
 * whether they are needed, follow the country. Changing it clears what it doesn't have.
 */
function ManualFields<TValues extends FieldValues & AddressValues>(props: AddressInputsProps<TValues>) {
  const { form, inputs } = props;
  const { SelectField, TextField } = inputs;
  const control = form.control as Control<TValues>;
  const field = (name: keyof AddressValues) => ({ control, name: name as FieldPath<TValues> });
  const [country, code]: readonly unknown[] = useWatch({ control, name: [field("country").name, field("state").name] });
  const { state, postCode } = getAddressForm(String(country));
  const states = statesByCountry[String(country)];

  const last = useRef({ country, code });
  useEffect(() => {
    const before = last.current;
    last.current = { country, code };
    const parts = getAddressForm(String(country));
    const clear = (name: "state" | "postCode", isForeign: (value: unknown) => boolean) => {
      const value: unknown = form.getValues(name as FieldPath<TValues>);
      if (!value || !isForeign(value)) return;
      form.setValue(name as FieldPath<TValues>, "" as FieldPathValue<TValues, FieldPath<TValues>>, {
        shouldDirty: true,
      });
    };
    const listed = statesByCountry[String(country)];
    // A program may have stored the name of an American state.
    const named = listed?.find(({ value, label }) => label === code && value !== code);
    // The state of the country that was left goes, even if both have its code: WA is Western Australia and Washington.
    const isLeft = before.country !== country && before.code === code;
    const left = (isLeft && statesByCountry[String(before.country)]) || [];
    if (named) form.setValue("state" as FieldPath<TValues>, named.value as FieldPathValue<TValues, FieldPath<TValues>>);
    else clear("state", (value) => !parts.state || (listed && !hasState(listed, value)) || hasState(left, value));
    clear("postCode", () => !parts.postCode);
  }, [form, country, code]);

  return (
    <>
      <FieldColumns>
        <TextField {...field("unitNumber")} label="Unit number" optional autoComplete="off" />
        <TextField {...field("streetNumber")} label="Street number" autoComplete="off" />
      </FieldColumns>
      <TextField {...field("streetName")} label="Street name" autoComplete="address-line1" />
      <FieldColumns shares={[1.5, 1.2, 1]}>
        <TextField {...field("city")} label="City" autoComplete="address-level2" />
        {state && states && (
          <SelectField
            {...field("state")}
            label={state.label}
            autoComplete="address-level1"
            placeholder="Choose"
            options={states}
          />
        )}
        {state && !states && (
          <TextField
            {...field("state")}
            label={state.label}
            optional={!state.isRequired}
            autoComplete="address-level1"
          />
        )}
        {postCode && (
          <TextField
            {...field("postCode")}
            label={postCode.label}
            optional={!postCode.isRequired}
            autoComplete="postal-code"
            inputMode={states ? "numeric" : undefined}
          />
        )}
      </FieldColumns>
    </>
  );
}

const hasState = (states: readonly StateEntry[], code: unknown) => states.some(({ value }) => value === code);
