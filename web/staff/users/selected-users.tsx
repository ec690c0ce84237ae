import { Button, Group, Paper, Text } from "@mantine/core";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { MAX_SELECTED_USERS } from "#schema/user-list.ts";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import type { Selection } from "#web/ui/lists/use-selection.ts";
import type { UserSelectionInput } from "#web/generated/graphql.ts";

export interface SelectedUsersProps {
  selection: Selection;
  /** Number of users that match, or null if they aren't all counted. */
  total: number | null;
  /** Search and filter of the list. */
  filter: UserSelectionInput;
  onExport: (users: UserSelectionInput) => void;
}

/** Shows the number of selected users and the actions for them. */
export function SelectedUsers({ selection, total, filter, onExport }: SelectedUsersProps) {
  const openDialog = useOpenDialog();
  const { ids, isAll } = selection;
  const isEmpty = !isAll && ids.size === 0;
  const count = isAll ? total : ids.size;
  const users = isAll ? filter : { userIds: [...ids], includeArchived: true };
  const isTooLarge = !isAll && ids.size > MAX_SELECTED_USERS;
  const open = (kind: "extend-licences" | "deactivate-licences") => () =>
    openDialog(() => import("./user-run-dialog.tsx"), { kind, users, count });
  return (
    <Paper
      component="section"
      // Takes the focus from a button that disappears.
      tabIndex={-1}
      aria-label={isEmpty ? undefined : "Selected users"}
      withBorder={!isEmpty}
      radius="lg"
      px={isEmpty ? 0 : "md"}
      py={isEmpty ? 0 : "xs"}
      // Takes no space in the list.
      pos={isEmpty ? "absolute" : undefined}
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          {/* Screen readers announce only changes of a text that was there before, even if empty. */}
          <Text role="status" fw={600} fz="sm">
            {!isEmpty &&
              (count === null ? "All users that match are selected" : `${formatCount(count, "user")} selected`)}
          </Text>
          {!isEmpty && !isAll && total !== ids.size && (
            <BusyButton variant="subtle" size="xs" onPress={selection.selectAll}>
              {total === null ? "Select all that match" : `Select all ${formatNumber(total)} that match`}
            </BusyButton>
          )}
          {!isEmpty && (
            <BusyButton variant="subtle" size="xs" onPress={selection.clear}>
              Clear selection
            </BusyButton>
          )}
        </Group>
        {isEmpty ? null : isTooLarge ? (
          <Text fz="sm" c="var(--xp-critical)">
            Select at most {formatNumber(MAX_SELECTED_USERS)} users, or all that match.
          </Text>
        ) : (
          <Group gap="xs">
            <ForStaffRole has="support">
              <Button size="sm" onClick={open("extend-licences")}>
                Extend licences
              </Button>
              <Button size="sm" variant="default" onClick={open("deactivate-licences")}>
                Deactivate licences
              </Button>
            </ForStaffRole>
            <Button size="sm" variant="default" onClick={() => onExport(users)}>
              Export selected
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}
