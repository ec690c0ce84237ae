import { useSearchParams } from "react-router-dom";
import { useState } from "react";
import { paths } from "#web/platform/paths.ts";
import {
  toUrlParams,
  readFilterFromUrl,
  saveFilter,
  removeDateLimits,
  type UserFilter,
} from "#web/staff/users/user-filter.ts";
import { UserFilterPanel } from "#web/staff/users/user-filter-panel.tsx";
import { UsersTable } from "#web/staff/users/users-table.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Lists all users. The filter is in the URL, so other pages can link to a filtered list. */
export default function ManageUsersPage() {
  const [params, setParams] = useSearchParams();
  // Search text stays while filters change. A link with another `q` replaces it.
  const linked = params.get("q") ?? "";
  const address = params.toString();
  const [shown, setShown] = useState(() => ({ address, filter: readFilterFromUrl(params) }));
  const filter = shown.address === address ? shown.filter : readFilterFromUrl(params);
  if (shown.address !== address) setShown({ address, filter });

  function apply(next: UserFilter) {
    const urlParams = toUrlParams(next);
    if (linked) urlParams.set("q", linked);
    setParams(urlParams, { replace: true });
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
          saveFilter(next);
          apply(next);
        }}
      />
      <UsersTable
        key={linked}
        filter={filter}
        query={linked}
        onSearchAllDates={() => apply(removeDateLimits(filter))}
      />
    </PageLayout>
  );
}
