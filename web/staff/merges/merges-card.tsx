import { Button, Group, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import {
  type AccountMergeFieldsFragment,
  type MergePreviewQuery,
  useAccountMergesQuery,
  type UserHeaderFieldsFragment,
  useUndoMergeMutation,
} from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { PlainList } from "#web/ui/plain-list.tsx";
import { mergedKinds } from "#schema/account-merge.ts";
import { formatNumber } from "#schema/numbers.ts";

/** The merges of an account into it or into another, each of which can be undone. Renders nothing for other accounts. */
export function MergesCard({ user }: { user: Pick<UserHeaderFieldsFragment, "id"> }) {
  const { data } = useAccountMergesQuery({ variables: { userId: user.id } });
  const [undoMerge, { client }] = useUndoMergeMutation();
  if (!data?.accountMerges.length) return null;

  const undo = ({ id, merged, kept }: AccountMergeFieldsFragment) =>
    confirmAction({
      title: "Undo merge",
      confirmLabel: "Undo",
      danger: true,
      text: `What the merge moved goes back to ${merged.email}, which can sign in again. What was added to ${kept.email} since stays there.`,
      failure: "Unable to undo the merge.",
      run: () => undoMerge({ variables: { id } }),
      success: "The merge has been undone.",
      onSettled: (isDone) => isDone && void client.refetchQueries({ include: "active" }).catch(() => undefined),
    });

  return (
    <Section title="Merged accounts">
      <PlainList gap="sm">
        {data.accountMerges.map((merge) => {
          const isKept = merge.kept.id === user.id;
          const other = isKept ? merge.merged : merge.kept;
          const isUndoable = new Date(merge.undoUntil) > new Date();
          return (
            <Group component="li" key={merge.id} justify="space-between" gap="xs">
              <Text component="span" flex="1 1 14rem" miw={0} data-break="anywhere">
                {isKept ? "Took over " : "Merged into "}
                <Link to={paths.updateUser.href({ id: other.id })}>{other.email}</Link>, <Moment at={merge.mergedAt} />
                <Text span display="block" fz="sm" c="dimmed">
                  {describeRows(merge.moved) || "Nothing moved"}.{isUndoable && " Can be undone until "}
                  {isUndoable && <Moment at={merge.undoUntil} />}
                </Text>
              </Text>
              {isUndoable && (
                <Button
                  size="sm"
                  variant="default"
                  aria-label={`Undo the merge with ${other.email}`}
                  onClick={() => undo(merge)}
                >
                  Undo
                </Button>
              )}
            </Group>
          );
        })}
      </PlainList>
    </Section>
  );
}

/** Describes counted rows, such as `Licences: 2, Contacts: 1`. */
export function describeRows(rows: MergePreviewQuery["mergePreview"]["moves"]): string {
  const labels = new Map<string, string>(mergedKinds.map(({ code, label }) => [code, label]));
  return rows.map((row) => `${labels.get(row.kind) ?? row.kind}: ${formatNumber(row.rows)}`).join(", ");
}
