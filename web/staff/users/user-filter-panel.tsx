import { Box, Group } from "@mantine/core";
import { memberTypes } from "#schema/user.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckGroupField } from "./check-group-field.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel } from "#web/ui/lists/filter-panel.tsx";
import { getDefaultFilter, type UserFilter } from "./user-filter.ts";

/** Without the descriptions, so that the types fit in a line. */
const typeOptions = memberTypes.map(({ value, label }) => ({ value, label }));

const loadRules = () => import("#schema/user-list.ts").then((file) => file.userFilterFormRules);

/** Filters the user list by user type, date joined and archived state. */
export function UserFilterPanel({ filter, onApply }: { filter: UserFilter; onApply: (filter: UserFilter) => void }) {
  const form = useAppForm(loadRules, { defaultValues: filter });
  const { control } = form;
  return (
    <FilterPanel isNarrowed={JSON.stringify(filter) !== JSON.stringify(getDefaultFilter())}>
      <AppForm
        form={form}
        label="Filter users"
        fallback="Unable to load the users."
        onSubmit={(values) => onApply({ ...values, userTypes: values.userTypes })}
      >
        <Group gap="md" align="flex-start">
          <CheckGroupField control={control} name="userTypes" label="User types" options={typeOptions} />
          <Box w={{ base: "100%", sm: "10.5rem" }}>
            <DateField control={control} name="startDate" label="Start date" />
          </Box>
          <Box w={{ base: "100%", sm: "10.5rem" }}>
            <DateField control={control} name="endDate" label="End date" />
          </Box>
          {/* Aligns with the inputs below their labels. */}
          <Group gap="lg" flex={1} justify="space-between" mih="2.625rem" mt={{ base: 0, xl: "1.75rem" }}>
            <CheckboxField control={control} name="includeArchived" label="Include archived" />
            <SubmitButton>Apply</SubmitButton>
          </Group>
        </Group>
      </AppForm>
    </FilterPanel>
  );
}
