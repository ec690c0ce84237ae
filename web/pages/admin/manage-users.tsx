import { paths } from "#web/platform/paths.ts";
import { removeDateLimits, saveFilter, toUrlParams } from "#web/staff/users/user-filter.ts";
import { UserFilterPanel } from "#web/staff/users/user-filter-panel.tsx";
import { useUserList } from "#web/staff/users/use-user-list.ts";
import { UsersTable } from "#web/staff/users/users-table.tsx";
import { LinkButton } from "#web/public-ui/button.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Lists all users. The filter, search, order and page are in the URL, so a copied link shows the same list. */
export default function ManageUsersPage() {
  const { list, filter } = useUserList();
  return (
    <PageLayout
      title="Manage Users"
      back={{ to: paths.admin.href(), label: "Admin" }}
      actions={<LinkButton to={paths.createUser.href()}>Create a User</LinkButton>}
    >
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
    </PageLayout>
  );
}
