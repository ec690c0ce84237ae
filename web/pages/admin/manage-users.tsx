import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import {
  toUrlParams,
  readFilterFromUrl,
  saveFilter,
  removeDateLimits,
  type UserFilter,
} from "#web/staff/users/user-filter.ts";
import { UserFilterPanel } from "#web/staff/users/user-filter-panel.tsx";
import { DEFAULT_PAGE_SIZE, UsersTable } from "#web/staff/users/users-table.tsx";
import { LinkButton } from "#web/public-ui/button.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";
import { type ListPlace, readPlaceFromUrl, writePlaceToUrl } from "#web/ui/table/use-remote-list.ts";

/** Lists all users. The filter, search, order and page are in the URL, so a copied link shows the same list. */
export default function ManageUsersPage() {
  const [params, setParams] = useSearchParams();
  const address = params.toString();
  const readUrl = (version: number) => ({
    address,
    written: address,
    filter: readFilterFromUrl(params),
    initial: params.size > 0 ? readPlaceFromUrl(params) : null,
    version,
  });
  const [shown, setShown] = useState(() => readUrl(0));
  // A link to another list replaces the list. Changes that this page writes to the URL don't.
  if (shown.address !== address)
    setShown(
      address === shown.written ? { ...readUrl(shown.version), initial: shown.initial } : readUrl(shown.version + 1),
    );

  function write(filter: UserFilter, place: Partial<ListPlace>) {
    const next = toUrlParams(filter);
    writePlaceToUrl(place, DEFAULT_PAGE_SIZE, next);
    setShown({ ...shown, written: next.toString() });
    setParams(next, { replace: true });
  }

  const apply = (filter: UserFilter) => write(filter, { ...readPlaceFromUrl(params), pageNumber: 1 });

  return (
    <PageLayout
      title="Manage Users"
      back={{ to: paths.admin.href(), label: "Admin" }}
      actions={<LinkButton to={paths.createUser.href()}>Create a User</LinkButton>}
    >
      <UserFilterPanel
        key={JSON.stringify(shown.filter)}
        filter={shown.filter}
        onApply={(next) => {
          saveFilter(next);
          apply(next);
        }}
      />
      <UsersTable
        key={shown.version}
        filter={shown.filter}
        initial={shown.initial}
        onPlace={(place) => {
          if (formatPlace(place) !== formatPlace(readPlaceFromUrl(params))) write(shown.filter, place);
        }}
        onSearchAllDates={() => apply(removeDateLimits(shown.filter))}
      />
    </PageLayout>
  );
}

function formatPlace(place: Partial<ListPlace>): string {
  const params = new URLSearchParams();
  writePlaceToUrl(place, DEFAULT_PAGE_SIZE, params);
  return params.toString();
}
