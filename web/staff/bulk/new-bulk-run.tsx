import { useEffect, useRef } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { type BulkKind, bulkKinds, bulkLimits, choosesLicences } from "#schema/bulk.ts";
import { licenceCategories, productLevels } from "#schema/catalogue.ts";
import type { NewBulkRunValues } from "#schema/rules/bulk.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { paths } from "#web/platform/paths.ts";
import { useOpenBulkRunMutation } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField, SelectField, TextAreaField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FieldGroup, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FileHelp } from "./file-help.tsx";
import classes from "./bulk.module.css";

const loadRules = () => import("#schema/rules/bulk.ts").then((file) => file.newBulkRunRules);

const kindOptions = Object.entries(bulkKinds).map(([value, label]) => ({ value, label }));
const sourceOptions = [
  { value: "file", label: "In a CSV file" },
  { value: "paste", label: "By pasted codes" },
  { value: "conditions", label: "By conditions" },
];
const optionsOf = (list: readonly { value: number; label: string }[]) =>
  list.map(({ value, label }) => ({ value: String(value), label }));

const empty = {
  kind: "import-users",
  source: "file",
  fileName: "",
  pasted: "",
  expiryDate: "",
  addDays: "",
  inviteByMail: false,
  productLevel: "",
  licenceCategory: "",
  purchaseOrderNumber: "",
  expiringFrom: "",
  expiringTo: "",
};

const conditionNames = ["productLevel", "licenceCategory", "purchaseOrderNumber", "expiringFrom", "expiringTo"];

/** Says what a run is to do and where its rows come from; checking it changes nothing yet. */
export function NewBulkRun() {
  const file = useRef<File | null>(null);
  const navigate = useNavigate();
  const [open] = useOpenBulkRunMutation();
  const form = useAppForm(loadRules, { defaultValues: empty as never }) as unknown as UseFormReturn<NewBulkRunValues>;
  const { control } = form;
  const [kind, wantedSource, fileName] = useWatch({ control, name: ["kind", "source", "fileName"] });
  const source = choosesLicences(kind) ? wantedSource : "file";

  // What is not shown must not stand in the way: its faults could not be seen.
  useEffect(() => {
    const hidden = [
      ...(kind === "extend-licences" ? [] : ["expiryDate", "addDays"]),
      ...(source === "conditions" ? [] : conditionNames),
      ...(source === "paste" ? [] : ["pasted"]),
    ];
    for (const name of hidden) form.resetField(name as keyof NewBulkRunValues);
    if (wantedSource !== source) form.setValue("source", source);
  }, [form, kind, source, wantedSource]);

  function take(given: File) {
    file.current = given.size > bulkLimits.bytes ? null : given;
    form.setValue("fileName", file.current?.name ?? "");
    if (file.current) form.clearErrors("fileName");
    else form.setError("fileName", { type: "server", message: "File is too large. At most 25 MB, please." });
  }

  async function send(values: NewBulkRunValues) {
    const id = source === "conditions" ? await openByConditions(values) : await openByFile(values);
    if (id) await navigate(paths.bulkRun.href({ id }));
  }

  async function openByConditions(values: NewBulkRunValues): Promise<string | undefined> {
    const { purchaseOrderNumber, productLevel, licenceCategory, expiringFrom, expiringTo } = values;
    const { data } = await open({
      variables: {
        input: {
          kind,
          ...endOf(values),
          productLevel: productLevel ?? null,
          licenceCategory: licenceCategory ?? null,
          purchaseOrderNumber: purchaseOrderNumber || null,
          expiringFrom: dayOf(expiringFrom),
          expiringTo: dayOf(expiringTo),
        },
      },
    });
    return data?.openBulkRun.id;
  }

  async function openByFile(values: NewBulkRunValues): Promise<string> {
    const { expiryDate, addDays } = endOf(values);
    const query = new URLSearchParams({
      kind,
      ...(source === "file" && values.fileName ? { fileName: values.fileName } : {}),
      ...(expiryDate ? { expiryDate } : {}),
      ...(addDays ? { addDays: String(addDays) } : {}),
      ...(kind === "import-users" && values.inviteByMail ? { inviteByMail: "true" } : {}),
    });
    const content = source === "file" ? (file.current ?? "") : (values.pasted ?? "");
    const answer = await fetchFromApi(`/v1/admin/bulk-runs?${query}`, "application/json", {
      body: { content, type: "text/csv" },
    });
    return (await answer.json()) as string;
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to check the rows." label="New bulk run">
      <SelectField control={control} name="kind" label="Kind of Run" options={kindOptions} />
      {kind === "deactivate-licences" && (
        <Callout tone="critical">
          <p>Deactivating a licence can't be undone. The check that follows shows every licence it would end.</p>
        </Callout>
      )}
      {kind === "extend-licences" && (
        <FieldGroup title="New end">
          <FieldColumns>
            <DateField control={control} name="expiryDate" label="New Expiry Date" optional />
            <TextField control={control} name="addDays" label="Or Days to Add" inputMode="numeric" optional />
          </FieldColumns>
          <p className={classes.terms}>
            One date for all of them, or days after each one's own end; after today where that has passed.
          </p>
        </FieldGroup>
      )}
      {choosesLicences(kind) && (
        <SelectField control={control} name="source" label="Choose the Licences" options={sourceOptions} />
      )}
      {source === "file" && (
        <div>
          <FileDrop
            label="CSV File"
            hint="Drop the file here."
            accept=".csv,.tsv,.txt,text/csv"
            chosen={fileName ? { name: fileName } : null}
            onFile={take}
            error={form.formState.errors.fileName?.message}
          />
          <FileHelp kind={kind as BulkKind} />
        </div>
      )}
      {source === "paste" && (
        <TextAreaField
          control={control}
          name="pasted"
          label="Support Codes or Licence Codes"
          hint="One a line."
          rows={8}
        />
      )}
      {source === "conditions" && <Conditions form={form} />}
      {kind === "import-users" && (
        <CheckboxField
          control={control}
          name="inviteByMail"
          label="Invite each user by mail"
          hint="One mail a row, sent as the rows are carried out. Without it, nobody is told."
        />
      )}
      <FormActions>
        <LinkButton variant="default" to={paths.bulkWork.href()}>
          Cancel
        </LinkButton>
        <SubmitButton>Check the Rows</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

function Conditions({ form: { control } }: { form: UseFormReturn<NewBulkRunValues> }) {
  return (
    <FieldGroup title="Licences that meet all of these">
      <FieldColumns>
        <SelectField
          control={control}
          name="productLevel"
          label="Product Level"
          options={optionsOf(productLevels)}
          placeholder="Any"
          optional
        />
        <SelectField
          control={control}
          name="licenceCategory"
          label="Licence Category"
          options={optionsOf(licenceCategories)}
          placeholder="Any"
          optional
        />
      </FieldColumns>
      <TextField control={control} name="purchaseOrderNumber" label="PO Number" maxLength={100} optional />
      <FieldColumns>
        <DateField control={control} name="expiringFrom" label="Expiring From" optional />
        <DateField control={control} name="expiringTo" label="Expiring Until" optional />
      </FieldColumns>
    </FieldGroup>
  );
}

function endOf({ kind, expiryDate, addDays }: NewBulkRunValues) {
  if (kind !== "extend-licences") return { expiryDate: null, addDays: null };
  return { expiryDate: dayOf(expiryDate), addDays: addDays ?? null };
}

/** `YYYY-MM-DD` of the day that was meant, as the rules read it: in UTC. */
function dayOf(value: Date | undefined): string | null {
  return value instanceof Date ? value.toISOString().slice(0, 10) : null;
}
