import { Anchor, Button, Text } from "@mantine/core";
import { IconArchive, IconArrowBackUp, IconDownload, IconPencil } from "@tabler/icons-react";
import { Link } from "react-router-dom";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { memberTypes } from "#schema/user.ts";
import { findLabel, toValue } from "#schema/closed-list.ts";
import { type UserColumn, userColumns, userExportColumns, type UserSort } from "#schema/user-list.ts";
import { paths, userTabHref } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { type UserSelectionInput, type UsersQuery, useUsersQuery, useUsersTotalQuery } from "#web/generated/graphql.ts";
import { formatTableDate } from "#schema/dates.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useSelection } from "#web/ui/lists/use-selection.ts";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import type { UrlList } from "#web/ui/lists/use-url-list.ts";
import { SelectedUsers } from "./selected-users.tsx";
import { useArchiveUser } from "./use-archive-user.tsx";
import { toFilterArguments, hasDateLimits, toViewParams, type UserFilter } from "./user-filter.ts";
import { momentColumn } from "#web/ui/table/columns.tsx";

export type ListedUser = UsersQuery["users"]["rows"][number];

const flagColumn = (isSet: (user: ListedUser) => boolean, by: UserSort) => ({
  text: (user: ListedUser) => (isSet(user) ? "Yes" : "No"),
  render: (user: ListedUser) =>
    isSet(user) ? (
      "Yes"
    ) : (
      <Text span inherit c="var(--xp-critical)" fw={560}>
        No
      </Text>
    ),
  by,
});

type ShownColumn = Exclude<UserColumn, "id">;

/** Names of columns that a user has as a text. */
type TextColumn = {
  [Name in ShownColumn & keyof ListedUser]: ListedUser[Name] extends string ? Name : never;
}[ShownColumn & keyof ListedUser];

type UserTableColumn = Column<ListedUser> & { by?: UserSort };
type Details = Partial<UserTableColumn>;

/** How columns differ from the user's text of the same name. `by` is the API's sort order, without which a column can't be sorted. */
const details: { readonly [Name in TextColumn]?: Details } & {
  readonly [Name in Exclude<ShownColumn, TextColumn>]: Details & Pick<UserTableColumn, "text">;
} = {
  firstName: {
    render: (user) => (
      <Anchor
        component={Link}
        to={paths.updateUser.href({ id: user.id })}
        aria-label={`${user.firstName} ${user.lastName}`}
        inherit
      >
        {user.firstName}
      </Anchor>
    ),
    wrap: "anywhere",
    by: "FIRST_NAME",
  },
  lastName: { wrap: "anywhere", by: "LAST_NAME" },
  companyName: { wrap: "anywhere", by: "COMPANY" },
  email: { wrap: "anywhere", by: "EMAIL" },
  // Sorting by it isn't useful.
  mobile: { wrap: "never" },
  userType: { text: (user) => findLabel(memberTypes, user.memberType), by: "USER_TYPE" },
  registrationDate: {
    ...momentColumn(userColumns.registrationDate, (user) => user.registeredAt, formatTableDate),
    by: "DATE_JOINED",
  },
  isActive: flagColumn((user) => user.isActive, "ACTIVE"),
  emailConfirmed: flagColumn((user) => user.emailConfirmed, "EMAIL_CONFIRMED"),
};

const columns = userExportColumns
  .filter((field): field is ShownColumn => field !== "id")
  .map((field): UserTableColumn & { field: ShownColumn } => {
    const own: Details = details[field] ?? {};
    const text = (user: ListedUser) => String(user[field as TextColumn]);
    return { title: userColumns[field], text, field, ...(own.by ? {} : { sortBy: null }), ...own };
  });

const formatName = ({ firstName, lastName }: ListedUser) => `${firstName} ${lastName}`;

export interface UsersTableProps {
  list: UrlList;
  filter: UserFilter;
  /** Called to repeat a search without date limits. */
  onSearchAllDates: () => void;
}

/** Lists users. The API searches, sorts and paginates. */
export function UsersTable({ list, filter, onSearchAllDates }: UsersTableProps) {
  const filterArguments = toFilterArguments(filter);
  const remote = useRemoteList(list, { queryKey: JSON.stringify(filterArguments), countsFromEnd: true });
  const { sort } = list;
  const sortBy = columns.find(({ title }) => title === sort?.id)?.by;
  const order = sortBy && sort ? { by: sortBy, descending: sort.desc } : null;
  const matching = { search: remote.search, ...filterArguments };
  const { data, previousData, loading, error, refetch } = useUsersQuery({
    variables: { filter: matching, order, ...remote.page, after: remote.after, fromEnd: remote.fromEnd },
    notifyOnNetworkStatusChange: true,
  });
  const counting = useUsersTotalQuery({ variables: { filter: matching }, skip: data?.users.isTotalCapped !== true });
  const exactTotal = counting.data?.users.total;
  const { archive, restore } = useArchiveUser(() => void refetch().catch(() => undefined));
  const ownId = useSession()?.claims.id;
  const [isOwner, isSupport] = [useStaffRole("owner"), useStaffRole("support")];
  const canArchive = ({ memberType }: ListedUser) => (memberType === "ADMIN" ? isOwner : isSupport);
  const page = (data ?? previousData)?.users;
  const users =
    page?.isTotalCapped && exactTotal !== undefined ? { ...page, total: exactTotal, isTotalCapped: false } : page;

  const pageIds = users?.rows.map(({ id }) => id) ?? [];
  const selection = useSelection(JSON.stringify(matching), pageIds);
  const download = useReportDownload();
  const exported = columns.filter(({ title }) => !list.hidden.includes(title)).map(({ field }) => field);
  // REST takes the numbers of types.
  const startExport = ({ userTypes, ...selected }: UserSelectionInput) =>
    download.start("Exporting users", "/v1/users/export", {
      ...selected,
      userTypes: userTypes?.map((type) => toValue(memberTypes, type)),
      ...(order ? { sortBy: order.by, descending: order.descending } : {}),
      columns: exported,
    });

  return (
    <>
      {download.progress}
      <DataTable
        name="Users"
        selection={{ has: selection.has, change: selection.change, label: formatName }}
        notice={
          <SelectedUsers
            selection={selection}
            total={users && !users.isTotalCapped ? users.total : null}
            filter={matching}
            onExport={startExport}
          />
        }
        toolbar={
          <>
            <SavedViews name="users" list={list} toView={toViewParams} />
            <Button
              variant="default"
              size="sm"
              leftSection={<IconDownload size={17} stroke={1.8} aria-hidden="true" />}
              onClick={() => startExport(matching)}
            >
              Export these rows
            </Button>
          </>
        }
        dense
        columns={columns}
        remote={remote.toTableList(users, data?.users.endCursor)}
        rows={users?.rows}
        rowId={(user) => user.id}
        rowLabel={formatName}
        actions={(user) => [
          { label: "Edit", icon: IconPencil, to: userTabHref(user.id, "details") },
          ...(canArchive(user) && user.isActive && user.id !== ownId
            ? [{ label: "Delete", icon: IconArchive, danger: true, onSelect: () => archive(user) }]
            : []),
          ...(user.isActive || user.deletedAt || !canArchive(user)
            ? []
            : [{ label: "Restore", icon: IconArrowBackUp, onSelect: () => restore(user) }]),
        ]}
        emptyMessage="No users."
        busy={loading ? "Loading users" : undefined}
        noMatchAction={
          hasDateLimits(filter) && (
            <BusyButton variant="default" onPress={onSearchAllDates}>
              Search All Dates
            </BusyButton>
          )
        }
        error={loading ? undefined : error}
        failure="Unable to load the users."
        onRetry={refetch}
      />
    </>
  );
}
