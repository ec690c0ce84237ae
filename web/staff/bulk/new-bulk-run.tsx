import { Text, Anchor, Box, Button, SimpleGrid, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import {
  type BulkKind,
  bulkKinds,
  bulkLimits,
  canSelectLicences,
  newBulkRunRules,
  type NewBulkRunValues,
} from "#schema/bulk-run.ts";
import { licenceCategories } from "#schema/licence-types.ts";
import { productLevels } from "#schema/product-level.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { paths } from "#web/platform/paths.ts";
import { useOpenBulkRunMutation } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField, SelectField, TextAreaField, TextField } from "#web/ui/form/fields.tsx";
import type { SelectOption } from "#web/ui/form/use-field.tsx";
import { FieldColumns, FieldGroup, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { toCode } from "#schema/closed-list.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconDownload } from "@tabler/icons-react";
import { formatFileSize, formatNumber } from "#schema/numbers.ts";
import { bulkColumns } from "#schema/bulk-columns.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";

/** Page with the form that creates a bulk run. */
export default function NewBulkRunPage() {
  return (
    <PageLayout
      title={paths.newBulkRun.title}
      lead="The rows are checked first. You then see the planned change of each row. Nothing changes until you start the run."
      back={{ to: paths.bulkWork.href(), label: "Bulk Work" }}
      width="form"
      card
    >
      <NewBulkRun />
    </PageLayout>
  );
}

const SIZE_LIMIT = formatFileSize(bulkLimits.bytes);

const sourceOptions = [
  { value: "file", label: "In a CSV file" },
  { value: "paste", label: "By pasted codes" },
  { value: "conditions", label: "By conditions" },
] satisfies SelectOption[];

const defaultValues = {
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

/** Form that creates a bulk run. The server then checks its rows, which changes nothing yet. */
function NewBulkRun() {
  const file = useRef<File | null>(null);
  const navigate = useNavigate();
  const [open] = useOpenBulkRunMutation();
  const form = useAppForm(newBulkRunRules, {
    defaultValues: defaultValues as never,
  }) as unknown as UseFormReturn<NewBulkRunValues>;
  const { control } = form;
  const [kind, wantedSource, fileName] = useWatch({ control, name: ["kind", "source", "fileName"] });
  const source = canSelectLicences(kind) ? wantedSource : "file";

  // Hidden fields are reset, because the user couldn't see their errors.
  useEffect(() => {
    const hidden = [
      ...(kind === "extend-licences" ? [] : ["expiryDate", "addDays"]),
      ...(source === "conditions" ? [] : conditionNames),
      ...(source === "paste" ? [] : ["pasted"]),
    ];
    for (const name of hidden) form.resetField(name as keyof NewBulkRunValues);
    if (wantedSource !== source) form.setValue("source", source);
  }, [form, kind, source, wantedSource]);

  function chooseFile(chosen: File) {
    file.current = chosen.size > bulkLimits.bytes ? null : chosen;
    form.setValue("fileName", file.current?.name ?? "");
    if (file.current) form.clearErrors("fileName");
    else form.setError("fileName", { type: "server", message: `File is too large. The limit is ${SIZE_LIMIT}.` });
  }

  async function createRun(values: NewBulkRunValues) {
    const id = source === "conditions" ? await createRunByConditions(values) : await createRunByFile(values);
    if (id) await navigate(paths.bulkRun.href({ id }));
  }

  async function createRunByConditions(values: NewBulkRunValues): Promise<string | undefined> {
    const { purchaseOrderNumber, productLevel, licenceCategory, expiringFrom, expiringTo } = values;
    const { data } = await open({
      variables: {
        input: {
          kind: toCode(bulkKinds, kind),
          ...getExpiryOptions(values),
          productLevel: productLevel === undefined ? null : toCode(productLevels, productLevel),
          licenceCategory: licenceCategory === undefined ? null : toCode(licenceCategories, licenceCategory),
          purchaseOrderNumber: purchaseOrderNumber || null,
          expiringFrom: toIsoDay(expiringFrom),
          expiringTo: toIsoDay(expiringTo),
        },
      },
    });
    return data?.openBulkRun.id;
  }

  async function createRunByFile(values: NewBulkRunValues): Promise<string> {
    const { expiryDate, addDays } = getExpiryOptions(values);
    const query = new URLSearchParams({
      kind,
      ...(source === "file" && values.fileName ? { fileName: values.fileName } : {}),
      ...(expiryDate ? { expiryDate } : {}),
      ...(addDays ? { addDays: String(addDays) } : {}),
      ...(kind === "import-users" && values.inviteByMail ? { inviteByMail: "true" } : {}),
    });
    const content = source === "file" ? (file.current ?? "") : (values.pasted ?? "");
    const response = await fetchFromApi(`/v1/admin/bulk-runs?${query}`, "application/json", {
      body: { content, type: "text/csv" },
    });
    return (await response.json()) as string;
  }

  return (
    <AppForm form={form} onSubmit={createRun} fallback="Unable to check the rows." label="New bulk run">
      <SelectField control={control} name="kind" label="Kind of run" options={bulkKinds} />
      {kind === "deactivate-licences" && (
        <Callout tone="critical">
          <p>
            Deactivated licences stop working, and can only be reinstated one by one. The check lists every licence that
            would be deactivated.
          </p>
        </Callout>
      )}
      {kind === "extend-licences" && (
        <FieldGroup title="New expiry">
          <FieldColumns>
            <DateField control={control} name="expiryDate" label="New expiry date" optional />
            <TextField control={control} name="addDays" label="Or days to add" inputMode="numeric" optional />
          </FieldColumns>
          <Text c="dimmed" fz="sm">
            Enter one date for all licences, or a number of days to add to each expiry date. For expired licences, the
            days are added to today.
          </Text>
        </FieldGroup>
      )}
      {canSelectLicences(kind) && (
        <SelectField control={control} name="source" label="Choose the licences" options={sourceOptions} />
      )}
      {source === "file" && (
        <div>
          <FileDrop
            label="CSV file"
            hint="Drop the file here."
            accept=".csv,.tsv,.txt,text/csv"
            chosen={fileName ? { name: fileName } : null}
            onFile={chooseFile}
            error={form.formState.errors.fileName?.message}
          />
          <FileHelp kind={kind as BulkKind} />
        </div>
      )}
      {source === "paste" && (
        <TextAreaField
          control={control}
          name="pasted"
          label="Support codes or licence codes"
          hint="One code per line."
          rows={8}
        />
      )}
      {source === "conditions" && <Conditions form={form} />}
      {kind === "import-users" && (
        <CheckboxField
          control={control}
          name="inviteByMail"
          label="Invite each user by email"
          hint="Each user receives an invitation when their row is processed. Otherwise, users aren't notified."
        />
      )}
      <FormActions>
        <SubmitButton>Check rows</SubmitButton>
        <LinkButton variant="default" to={paths.bulkWork.href()}>
          Cancel
        </LinkButton>
      </FormActions>
    </AppForm>
  );
}

function Conditions({ form: { control } }: { form: UseFormReturn<NewBulkRunValues> }) {
  const field = (name: keyof NewBulkRunValues) => ({ control, name, optional: true });
  return (
    <FieldGroup title="Licences that meet all conditions">
      <FieldColumns>
        <SelectField {...field("productLevel")} label="Product level" options={productLevels} placeholder="Any" />
        <SelectField
          {...field("licenceCategory")}
          label="Licence category"
          options={licenceCategories}
          placeholder="Any"
        />
      </FieldColumns>
      <TextField {...field("purchaseOrderNumber")} label="PO number" maxLength={100} />
      <FieldColumns>
        <DateField {...field("expiringFrom")} label="Expiring from" />
        <DateField {...field("expiringTo")} label="Expiring until" />
      </FieldColumns>
    </FieldGroup>
  );
}

function getExpiryOptions({ kind, expiryDate, addDays }: NewBulkRunValues) {
  if (kind !== "extend-licences") return { expiryDate: null, addDays: null };
  return { expiryDate: toIsoDay(expiryDate), addDays: addDays ?? null };
}

/** Formats a date field's value as `YYYY-MM-DD`. The form rules parse dates in UTC. */
function toIsoDay(value: Date | undefined): string | null {
  return value instanceof Date ? value.toISOString().slice(0, 10) : null;
}

/** Explains the columns of a file and offers a template to download. */
function FileHelp({ kind }: { kind: BulkKind }) {
  const columns = bulkColumns[kind];

  function download() {
    const cell = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);
    const line = (cells: readonly string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
    const lines = [line(columns.map(({ label }) => label)), line(columns.map(({ example }) => cell(example)))];
    saveAsFile(`${kind}.csv`, `\ufeff${lines.join("\r\n")}\r\n`, "text/csv");
  }

  return (
    <Stack gap="sm" align="flex-start" mt="md" fz="sm" c="dimmed">
      <p>
        CSV file with commas, semicolons or tabs, up to {formatNumber(bulkLimits.rows)} rows and {SIZE_LIMIT}. The first
        row must contain the column names, in any order.
      </p>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
        onClick={download}
      >
        Download template
      </Button>
      <Box component="details" w="100%">
        <Anchor component="summary" inherit fw={600} display="list-item" w="fit-content">
          Show columns
        </Anchor>
        <SimpleGrid component="dl" minColWidth="min(100%, 15rem)" spacing="lg" verticalSpacing="sm" mt="sm" mb={0}>
          {columns.map(({ name, label, required, hint, example }) => (
            <div key={name}>
              <Text component="dt" inherit c="var(--xp-ink)" fw={600}>
                {label}
                {required && (
                  <Text span inherit c="dimmed" fw={400}>
                    {" "}
                    · required
                  </Text>
                )}
              </Text>
              <Text component="dd" inherit m={0} data-break="anywhere">
                {hint ?? (example ? `Such as ${example}` : "Optional.")}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </Box>
    </Stack>
  );
}
