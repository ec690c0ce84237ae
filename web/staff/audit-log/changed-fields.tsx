import { Anchor, Table, List, Text } from "@mantine/core";
import { formatCount } from "#schema/numbers.ts";
import { useRevertChangeMutation } from "#web/generated/graphql.ts";
import { useDialogSubmit } from "#web/ui/form/form-dialog.tsx";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { Button } from "#web/ui/button.tsx";
import { confirmAction } from "#web/ui/dialogs.tsx";

/** A field's formatted values before and after a change. */
export interface ChangedField {
  field: string;
  before: string | null;
  after: string | null;
}

/** Returns the name of what an entry changed; null if the sentence says it already, such as "Created a draft invoice". */
export function getNameToAdd(sentence: string, name: string | null): string | null {
  return name && sentence.includes(name.charAt(0).toLowerCase() + name.slice(1)) ? null : name;
}

interface ChangedFieldsProps {
  changes: readonly ChangedField[];
  revertible: string | null;
}

/** Shows the fields of a change in a collapsed table. `revertible` is the id of an audit entry that can be reverted. */
export function ChangedFields({ changes, revertible }: ChangedFieldsProps) {
  if (changes.length === 0) return null;
  return (
    <details>
      <Anchor component="summary" fz="sm" fw={560} display="list-item" w="fit-content">
        {formatCount(changes.length, "field")}
      </Anchor>
      <Table
        withTableBorder
        layout="fixed"
        verticalSpacing={7}
        horizontalSpacing="sm"
        fz="sm"
        mt="xs"
        bg="var(--xp-surface)"
        data-break="anywhere"
      >
        <Table.Thead bg="var(--xp-sunken)" c="dimmed" fz="xs">
          <Table.Tr>
            {["Field", "Before", "After"].map((title) => (
              <Table.Th key={title} scope="col">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ field, before, after }) => (
            <Table.Tr key={field}>
              <Table.Th scope="row" fw={560}>
                {field}
              </Table.Th>
              <Value value={before} />
              <Value value={after} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {revertible !== null && <RevertButton entryId={revertible} changes={changes} />}
    </details>
  );
}

function Value({ value }: { value: string | null }) {
  return <Table.Td c={value === null ? "dimmed" : undefined}>{value ?? "Empty"}</Table.Td>;
}

/** Button that writes the values before a change back, after a confirmation. */
function RevertButton({ entryId, changes }: { entryId: string; changes: readonly ChangedField[] }) {
  const [revert] = useRevertChangeMutation({ refetchQueries: "active" });
  const run = useDialogSubmit(() => revert({ variables: { entryId } }));
  const ask = () =>
    confirmAction({
      title: "Revert change",
      confirmLabel: "Revert",
      text: (
        <>
          <Text>These values come back, as a new change in your name:</Text>
          <List spacing="xs" my="xs" data-break="anywhere">
            {changes.map(({ field, before, after }) => (
              <List.Item key={field}>
                {field}: {before ?? "Empty"} instead of {after ?? "Empty"}
              </List.Item>
            ))}
          </List>
          <Text>Nothing changes if one of these fields has been changed again since.</Text>
        </>
      ),
      run: () => run({}),
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
