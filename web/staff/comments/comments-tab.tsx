import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { type UserCommentsQuery, useUserCommentsQuery } from "#web/generated/graphql.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { momentColumn } from "#web/ui/table/moment-column.tsx";

const AddCommentDialog = lazyDialog(
  () => import("./add-comment-dialog.tsx").then((file) => file.AddCommentDialog),
  ({ opened }) => opened,
);

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
  const [adding, setAdding] = useState(false);
  useRequestedAction({ add: () => setAdding(true) });
  const comments = data?.user.comments;
  const reload = () => void refetch().catch(() => undefined);

  return (
    <>
      <DataTable
        name="Comments"
        columns={columns}
        rows={comments}
        rowId={({ id }) => id}
        list={list}
        toolbar={
          <ForStaffRole has="support">
            <Button
              size="sm"
              leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />}
              onClick={() => setAdding(true)}
            >
              Add a comment
            </Button>
          </ForStaffRole>
        }
        emptyMessage="No comments."
        error={comments ? undefined : error}
        failure="Unable to fetch the comments"
        onRetry={reload}
      />
      <AddCommentDialog userId={userId} opened={adding} onClose={() => setAdding(false)} onAdded={reload} />
    </>
  );
}
