import { List, Text } from "@mantine/core";
import { useRevertChangeMutation } from "#web/generated/graphql.ts";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { Button } from "#web/ui/button.tsx";
import { confirmAction } from "#web/ui/dialogs.tsx";
import type { ChangedField } from "./changed-fields.tsx";

/** Button that writes the values before a change back, after a confirmation. */
export function RevertButton({ entryId, changes }: { entryId: string; changes: readonly ChangedField[] }) {
  const [revert] = useRevertChangeMutation({ refetchQueries: "active" });
  const ask = () =>
    confirmAction({
      title: "Revert change",
      confirmLabel: "Revert",
      text: (
        <>
          <Text>These values come back, as a new change in your name:</Text>
          <List spacing="xs" my="xs" style={{ overflowWrap: "anywhere" }}>
            {changes.map(({ field, before, after }) => (
              <List.Item key={field}>
                {field}: {before ?? "Empty"} instead of {after ?? "Empty"}
              </List.Item>
            ))}
          </List>
          <Text>Nothing changes if one of these fields has been changed again since.</Text>
        </>
      ),
      run: () => revert({ variables: { entryId } }),
      success: "The change has been reverted.",
      failure: "Unable to revert the change.",
    });
  return (
    <ForStaffRole has="support">
      <Button variant="default" size="xs" onClick={ask}>
        Revert
      </Button>
    </ForStaffRole>
  );
}
