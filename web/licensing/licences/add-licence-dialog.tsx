import { useEffect } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import {
  addLicenceRules,
  type AddLicenceValues,
  licenceBounds,
  licenceCategories,
  licenceDefaults,
  licenceFields,
  licenceTypes,
  needsHeartbeat,
  needsLeasePeriod,
  needsProjectTerm,
  offeredActivationTypes,
} from "#schema/licence.ts";
import { productLevels } from "#schema/product-level.ts";
import { toInput } from "#schema/field.ts";
import { useAddLicenceMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { bindFields } from "#web/ui/form/use-field.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";

interface AddLicenceDialogProps extends DialogControl {
  userId: string;
  onAdded: () => void;
}

export default function AddLicenceDialog({ userId, onAdded, ...dialog }: AddLicenceDialogProps) {
  const [add] = useAddLicenceMutation();
  const form = useAppForm(addLicenceRules, { defaultValues: emptyForm() as never }) as UseFormReturn<AddLicenceValues>;
  const { control } = form;
  const field = bindFields(licenceFields, control);
  const activationType = useWatch({ control, name: "licenceActivationType" });
  const licenceType = useWatch({ control, name: "licenceType" });
  useEffect(() => resetDependentFields(form), [form]);

  return (
    <FormDialog
      {...dialog}
      title="Add A Licence"
      size="lg"
      form={form}
      onSubmit={(values) => {
        const input = { ...toInput(licenceFields, values), expiryDate: values.expiryDate.toISOString() };
        return add({ variables: { userId, input } });
      }}
      success="You have successfully added a licence."
      onDone={onAdded}
      fallback="Unable to add a licence."
    >
      <FieldColumns>
        <SelectField {...field("productLevel")} placeholder="Choose a level" options={productLevels} />
        <DateField {...field("expiryDate")} hint="The last day, in UTC" />
      </FieldColumns>
      <FieldColumns>
        <SelectField {...field("licenceType")} placeholder="Choose a type" options={licenceTypes} />
        <SelectField {...field("licenceCategory")} placeholder="Choose a category" options={licenceCategories} />
      </FieldColumns>
      {needsProjectTerm(licenceType) && <TextField {...field("projectTerm")} maxLength={100} />}
      <FieldColumns>
        <SelectField
          {...field("licenceActivationType")}
          placeholder="Choose an activation type"
          options={offeredActivationTypes}
        />
        <TextField {...field("purchaseOrderNumber")} optional maxLength={100} />
      </FieldColumns>
      <FieldColumns>
        <TextField
          {...field("numberOfUsers")}
          hint={needsHeartbeat(activationType) ? "Concurrent seats, 1 to 1,000" : "1 to 1,000"}
          inputMode="numeric"
        />
        <TextField
          {...field("numberOfMachines")}
          hint={needsHeartbeat(activationType) ? "Devices that can use a seat, 1 to 1,000" : "1 to 1,000"}
          inputMode="numeric"
        />
      </FieldColumns>
      {needsLeasePeriod(activationType) && (
        <TextField
          {...field("limitFloatingLeasePeriodToHours")}
          hint={`Hours, ${licenceBounds.leaseHours.min} to ${licenceBounds.leaseHours.max}`}
          inputMode="numeric"
        />
      )}
      {needsHeartbeat(activationType) && (
        <TextField
          {...field("floatingHeartBeatIntervalMinutes")}
          hint={`Minutes, ${licenceBounds.heartbeatMinutes.min} to ${licenceBounds.heartbeatMinutes.max}. A seat is released after two missed heartbeats`}
          inputMode="numeric"
        />
      )}
      <CheckboxField {...field("allowOnVms")} />
    </FormDialog>
  );
}

/** Returns the default values of the form, with an expiry date one year ahead. */
function emptyForm() {
  return {
    ...licenceDefaults,
    licenceActivationType: "",
    productLevel: "",
    licenceType: "",
    licenceCategory: "",
    projectTerm: "",
    purchaseOrderNumber: "",
    expiryDate: oneYearAfter(new Date()),
  };
}

function oneYearAfter(today: Date): string {
  const day = new Date(Date.UTC(today.getUTCFullYear() + 1, today.getUTCMonth(), today.getUTCDate()));
  return day.toISOString().slice(0, 10);
}

/** Resets dependent fields when the activation type or the licence type changes. */
function resetDependentFields(form: UseFormReturn<AddLicenceValues>): () => void {
  const { limitFloatingLeasePeriodToHours, floatingHeartBeatIntervalMinutes } = licenceDefaults;
  return form.subscribe({
    formState: { values: true },
    callback: ({ name }) => {
      if (name === "licenceActivationType") {
        form.setValue("limitFloatingLeasePeriodToHours", limitFloatingLeasePeriodToHours);
        form.setValue("floatingHeartBeatIntervalMinutes", floatingHeartBeatIntervalMinutes);
      }
      if (name === "licenceType") form.setValue("projectTerm", "");
    },
  });
}
