import { List, Text } from "@mantine/core";
import { useState } from "react";
import { useRevertChangeMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import type { ChangedField } from "./changed-fields.tsx";

/** Button that writes the values before a change back, after a confirmation. */
export function RevertButton({ entryId, changes }: { entryId: string; changes: readonly ChangedField[] }) {
  const [isAsking, setAsking] = useState(false);
  const [revert] = useRevertChangeMutation({ refetchQueries: "active" });

  async function confirm() {
    notify.clearErrors();
    try {
      await revert({ variables: { entryId } });
      notify.success("The change has been reverted.");
      setAsking(false);
    } catch (error) {
      notify.failure(error, "Unable to revert the change.");
    }
  }

  return (
    <ForStaffRole has="support">
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        Revert
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Revert change"
        confirmLabel="Revert"
        onConfirm={confirm}
        onCancel={() => setAsking(false)}
      >
        <Text>These values come back, as a new change in your name:</Text>
        <List spacing="xs" my="xs" style={{ overflowWrap: "anywhere" }}>
          {changes.map(({ field, before, after }) => (
            <List.Item key={field}>
              {field}: {before ?? "Empty"} instead of {after ?? "Empty"}
            </List.Item>
          ))}
        </List>
        <Text>Nothing changes if one of these fields has been changed again since.</Text>
      </ConfirmDialog>
    </ForStaffRole>
  );
}
