import { IconLicense } from "@tabler/icons-react";
import { useState } from "react";
import { labelOf, memberTypes } from "#schema/catalogue.ts";
import { type UsersQuery, useUsersQuery } from "#web/generated/graphql.ts";
import { date } from "#web/ui/moments.ts";
import { messageOf } from "#web/ui/server-error.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { useRemoteList } from "#web/ui/table/use-remote-list.ts";
import { UserLicencesDialog } from "./user-licences-dialog.tsx";

/** A user as the admin's list shows it. */
export type ListedUser = UsersQuery["users"]["rows"][number];

const columns: readonly Column<ListedUser>[] = [
  { title: "First Name", text: (user) => user.firstName },
  { title: "Last Name", text: (user) => user.lastName },
  { title: "Company", text: (user) => user.companyName },
  { title: "Email", text: (user) => user.email },
  { title: "User Type", text: (user) => labelOf(memberTypes, user.memberType) },
  { title: "Date Joined", text: (user) => date(user.registeredAt) },
  { title: "Email Confirmed", text: (user) => (user.emailConfirmed ? "Yes" : "No") },
];

/** All users, searched and paged by the api, each with their licences and devices. */
export function UsersTable() {
  const remote = useRemoteList();
  const { data, previousData, error, refetch } = useUsersQuery({ variables: { filter: remote.filter } });
  const [shown, setShown] = useState<ListedUser | null>(null);
  const users = (data ?? previousData)?.users;

  return (
    <>
      <DataTable
        name="Users"
        columns={columns}
        remote={remote.listOf(users)}
        rows={users?.rows}
        rowId={(user) => user.id}
        rowLabel={(user) => `${user.firstName} ${user.lastName}`}
        actions={(user) => [
          {
            label: "View Licences",
            icon: <IconLicense size={17} stroke={1.8} aria-hidden="true" />,
            onSelect: () => setShown(user),
          },
        ]}
        emptySentence="No users."
        error={error && !users ? messageOf(error, "Unable to load the data.") : undefined}
        onRetry={() => void refetch()}
      />
      <UserLicencesDialog user={shown} onClose={() => setShown(null)} />
    </>
  );
}
