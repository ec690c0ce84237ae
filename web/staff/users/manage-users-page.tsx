import { Stack } from "@mantine/core";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { paths } from "#web/platform/paths.ts";
import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { removeDateLimits, saveFilter, toUrlParams, userFilterParams } from "./user-filter.ts";
import { UserFilterPanel } from "./user-filter-panel.tsx";
import { useUserList } from "./use-user-list.ts";
import { UsersTable } from "./users-table.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

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
        key={JSON.stringify(filter)}
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
