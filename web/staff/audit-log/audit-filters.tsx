import { SimpleGrid } from "@mantine/core";
import { type AuditFilter, useAuditChoicesQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel } from "#web/ui/lists/filter-panel.tsx";

const loadRules = () => import("#schema/audit.ts").then((file) => file.auditFilterRules);

const emptyFilter = { search: "", actorId: "", action: "", from: "", to: "" };

/** Filters the audit log by admin, action, date and search text. */
export function AuditFilters(props: { isNarrowed: boolean; onApply: (filter: AuditFilter) => void }) {
  const { isNarrowed, onApply } = props;
  // The form values are typed dates; validation converts them to timestamps.
  const form = useAppForm(loadRules, { defaultValues: emptyFilter as never });
  const { data } = useAuditChoicesQuery();
  const actors = (data?.auditActors ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const actions = (data?.auditActions ?? []).map(({ action, words }) => ({ value: action, label: words }));
  const { control } = form;

  function apply() {
    const { from, to, ...rest } = form.getValues() as unknown as typeof emptyFilter;
    const entries = Object.entries({
      ...rest,
      from: toTimestamp(from, "00:00:00.000"),
      to: toTimestamp(to, "23:59:59.999"),
    });
    onApply(Object.fromEntries(entries.flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : []))));
  }

  return (
    <FilterPanel isNarrowed={isNarrowed}>
      <AppForm form={form} label="Filter" fallback="Unable to load the audit log." onSubmit={apply}>
        <SimpleGrid minColWidth="min(100%, 12.5rem)">
          <TextField
            control={control}
            name="search"
            label="Search"
            optional="unsaid"
            placeholder="User, licence or code"
            autoComplete="off"
          />
          <SelectField
            control={control}
            name="actorId"
            label="Admin"
            optional="unsaid"
            placeholder="All admins"
            options={actors}
          />
          <SelectField
            control={control}
            name="action"
            label="Action"
            optional="unsaid"
            placeholder="All actions"
            options={actions}
          />
          <DateField control={control} name="from" label="Start date" optional="unsaid" />
          <DateField control={control} name="to" label="End date" optional="unsaid" />
        </SimpleGrid>
        <FormActions>
          <SubmitButton>Apply</SubmitButton>
          <Button
            variant="default"
            onClick={() => {
              form.reset();
              onApply({});
            }}
          >
            Show all events
          </Button>
        </FormActions>
      </AppForm>
    </FilterPanel>
  );
}

/** Converts a date in the viewer's time zone to a timestamp; empty without a date. */
function toTimestamp(day: string, time: string): string {
  return day ? new Date(`${day}T${time}`).toISOString() : "";
}
