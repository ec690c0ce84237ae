import { SimpleGrid } from "@mantine/core";
import { securityEventTypes } from "#schema/security-event.ts";
import { Button } from "#web/ui/button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel } from "#web/ui/lists/filter-panel.tsx";
import { emptyChoice, type EventChoice } from "./event-filter.ts";

const loadRules = () => import("#schema/security-event.ts").then((file) => file.securityEventChoiceRules);

const types = securityEventTypes.map(({ value, label }) => ({ value, label }));

/** Filters the security events by type, user, IP address and date. */
export function SecurityEventFilters(props: { choice: EventChoice; onApply: (choice: EventChoice) => void }) {
  const { choice, onApply } = props;
  // The form values are typed dates; validation converts them.
  const form = useAppForm(loadRules, { defaultValues: choice as never });
  const { control } = form;
  return (
    <FilterPanel isNarrowed={Object.values(choice).some(Boolean)}>
      <AppForm
        form={form}
        label="Filter"
        fallback="Unable to load the security events."
        onSubmit={() => onApply(form.getValues() as unknown as EventChoice)}
      >
        <SimpleGrid minColWidth="min(100%, 12.5rem)">
          <SelectField
            control={control}
            name="type"
            label="Event"
            optional="unsaid"
            placeholder="All events"
            options={types}
          />
          <TextField
            control={control}
            name="search"
            label="User"
            optional="unsaid"
            placeholder="Name, email or company"
            autoComplete="off"
          />
          <TextField control={control} name="address" label="IP address" optional="unsaid" autoComplete="off" />
          <DateField control={control} name="from" label="Start date" optional="unsaid" />
          <DateField control={control} name="to" label="End date" optional="unsaid" />
        </SimpleGrid>
        <FormActions>
          <SubmitButton>Apply</SubmitButton>
          <Button
            variant="default"
            onClick={() => {
              form.reset(emptyChoice as never);
              onApply(emptyChoice);
            }}
          >
            Show all events
          </Button>
        </FormActions>
      </AppForm>
    </FilterPanel>
  );
}
