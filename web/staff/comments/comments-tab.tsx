import { Text } from "@mantine/core";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { type UserCommentsQuery, useUserCommentsQuery } from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { AddButton } from "#web/ui/table/table-controls.tsx";
import { momentColumn } from "#web/ui/table/columns.tsx";

const columns: readonly Column<UserCommentsQuery["user"]["comments"][number]>[] = [
  {
    title: "Comment",
    text: ({ comment }) => comment,
    render: ({ comment }) => (
      <Text inherit maw="42rem" miw="min(18rem, 50vw)" style={{ whiteSpace: "pre-line" }}>
        {comment}
      </Text>
    ),
    sortBy: null,
    wrap: "anywhere",
  },
  { title: "Commented by", text: ({ commentedBy }) => commentedBy },
  momentColumn("Comment date", ({ commentDate }) => commentDate),
];

/** Lists comments by staff about a user, newest first. */
export function CommentsTab({ userId }: { userId: string }) {
  const list = useUrlList({ pageSize: 10 });
  const { data, error, refetch } = useUserCommentsQuery({ variables: { userId } });
  const comments = data?.user.comments;
  const reload = () => void refetch().catch(() => undefined);
  const openDialog = useOpenDialog();
  const canAdd = useStaffRole("support");
  const add = () => openDialog(() => import("./add-comment-dialog.tsx"), { userId, onAdded: reload });
  useRequestedAction({ add: () => canAdd && add() });

  return (
    <DataTable
      name="Comments"
      columns={columns}
      rows={comments}
      rowId={({ id }) => id}
      list={list}
      toolbar={canAdd && <AddButton onClick={add}>Add a comment</AddButton>}
      emptyMessage="No comments."
      error={comments ? undefined : error}
      failure="Unable to fetch the comments"
      onRetry={reload}
    />
  );
}
