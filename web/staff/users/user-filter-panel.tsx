import { memberTypes } from "#schema/catalogue.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckGroupField } from "#web/ui/form/check-group-field.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import type { UserFilter } from "./user-filter.ts";
import classes from "./user-filter-panel.module.css";

const loadRules = () => import("#schema/rules/user-list.ts").then((file) => file.userFilterFormRules);

/** Filters the user list by user type, date joined and archived state. */
export function UserFilterPanel({ filter, onApply }: { filter: UserFilter; onApply: (filter: UserFilter) => void }) {
  const form = useAppForm(loadRules, { defaultValues: filter });
  const { control } = form;
  return (
    <section className={classes.panel} aria-label="Filter">
      <AppForm
        form={form}
        label="Filter users"
        fallback="Unable to load the users."
        onSubmit={(values) => onApply({ ...values, userTypes: values.userTypes })}
      >
        <div className={classes.fields}>
          <CheckGroupField control={control} name="userTypes" label="User types" options={memberTypes} />
          <DateField control={control} name="startDate" label="Start date" />
          <DateField control={control} name="endDate" label="End date" />
          <div className={classes.last}>
            <CheckboxField control={control} name="includeArchived" label="Include archived" />
            <SubmitButton>Apply</SubmitButton>
          </div>
        </div>
      </AppForm>
    </section>
  );
}
