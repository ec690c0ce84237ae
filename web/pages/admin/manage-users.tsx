import { useSearchParams } from "react-router-dom";
import { useState } from "react";
import { paths } from "#web/platform/paths.ts";
import {
  addressOf,
  filterInAddress,
  rememberFilter,
  withAllDates,
  type UserFilter,
} from "#web/staff/users/user-filter.ts";
import { UserFilterPanel } from "#web/staff/users/user-filter-panel.tsx";
import { UsersTable } from "#web/staff/users/users-table.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Everybody who has an account. The filter stands in the address, so that other pages can lead to a part of the list. */
export default function ManageUsersPage() {
  const [params, setParams] = useSearchParams();
  // What is typed into the search box stays there while filters change; a link with another `q` brings its own.
  const linked = params.get("q") ?? "";
  const address = params.toString();
  const [shown, setShown] = useState(() => ({ address, filter: filterInAddress(params) }));
  const filter = shown.address === address ? shown.filter : filterInAddress(params);
  if (shown.address !== address) setShown({ address, filter });

  function apply(next: UserFilter) {
    const wanted = addressOf(next);
    if (linked) wanted.set("q", linked);
    setParams(wanted, { replace: true });
  }

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
          rememberFilter(next);
          apply(next);
        }}
      />
      <UsersTable key={linked} filter={filter} query={linked} onSearchAllDates={() => apply(withAllDates(filter))} />
    </PageLayout>
  );
}
