import { Stack, Box, Group, Text } from "@mantine/core";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { paths } from "#web/platform/paths.ts";
import { DefaultView } from "#web/ui/lists/saved-views.tsx";
import {
  removeDateLimits,
  saveFilter,
  toUrlParams,
  userFilterParams,
  loadLastFilter,
  readFilterFromUrl,
  type UserFilter,
  getDefaultFilter,
} from "./user-filter.ts";
import { UsersTable } from "./users-table.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { loadOpened, type UrlList, useUrlList } from "#web/ui/lists/use-url-list.ts";
import { memberTypes } from "#schema/user.ts";
import { vendorTimeName } from "#schema/days.ts";
import { userFilterFormRules } from "#schema/user-list.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckGroupField } from "./check-group-field.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel } from "#web/ui/lists/filter-panel.tsx";

/** Lists all users. The filter, search, order, page and columns are in the URL, so a copied link shows the same list. */
export default function ManageUsersPage() {
  return (
    <PageLayout
      title={paths.manageUsers.title}
      actions={
        <ForStaffRole has="support">
          <LinkButton to={paths.createUser.href()}>Create a User</LinkButton>
        </ForStaffRole>
      }
    >
      <DefaultView list="users" filters={userFilterParams}>
        {(view) => <ManageUsers view={view} />}
      </DefaultView>
    </PageLayout>
  );
}

function ManageUsers({ view }: { view: URLSearchParams | null }) {
  const { list, filter } = useUserList(view);
  return (
    <Stack gap="lg">
      <UserFilterPanel
        filter={filter}
        onApply={(next) => {
          saveFilter(next);
          list.apply(toUrlParams(next, list.params));
        }}
      />
      <UsersTable
        list={list}
        filter={filter}
        onSearchAllDates={() => list.apply(toUrlParams(removeDateLimits(filter), list.params))}
      />
    </Stack>
  );
}

const DEFAULT_PAGE_SIZE = 10;
const REMEMBERED_AS = "users";

/**
 * Returns the state of the list of users, with the filter in its URL. A visit without parameters opens the default view, or
 * the last filter.
 */
function useUserList(view: URLSearchParams | null): { list: UrlList; filter: UserFilter } {
  const list = useUrlList({
    pageSize: DEFAULT_PAGE_SIZE,
    rememberAs: REMEMBERED_AS,
    filters: userFilterParams,
    complete: (params) => toUrlParams(readFilterFromUrl(params), params),
    open: () => view ?? openLastFilter(),
  });
  return { list, filter: readFilterFromUrl(list.params) };
}

function openLastFilter(): URLSearchParams | null {
  const last = loadLastFilter();
  return last && loadOpened(REMEMBERED_AS, DEFAULT_PAGE_SIZE, toUrlParams(last));
}

/** Without the descriptions, so that the types fit in a line. */
const typeOptions = memberTypes.map(({ value, label }) => ({ value, label }));

/** Filters the user list by user type, date joined and archived state. */
function UserFilterPanel({ filter, onApply }: { filter: UserFilter; onApply: (filter: UserFilter) => void }) {
  const form = useAppForm(userFilterFormRules, { defaultValues: filter, followsDefaults: true });
  const { control } = form;
  const { isSellerTime = false } = filter;
  return (
    <FilterPanel isNarrowed={JSON.stringify(filter) !== JSON.stringify(getDefaultFilter())}>
      <AppForm
        form={form}
        label="Filter users"
        fallback="Unable to load the users."
        onSubmit={(values) => onApply({ ...values, isSellerTime })}
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
          <Group gap="lg" flex={1} justify="space-between" mih="2.625rem" mt={{ base: 0, xl: "1.875rem" }}>
            <CheckboxField control={control} name="includeArchived" label="Include archived" />
            <SubmitButton variant="default">Apply</SubmitButton>
          </Group>
        </Group>
      </AppForm>
      {isSellerTime && (
        <Text c="dimmed" fz="sm" mt="xs">
          Days are in {vendorTimeName}.
        </Text>
      )}
    </FilterPanel>
  );
}
