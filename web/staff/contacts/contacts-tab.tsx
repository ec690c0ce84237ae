import { Anchor } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { contactTypes } from "#schema/contact.ts";
import { findLabel } from "#schema/closed-list.ts";
import {
  type ContactFieldsFragment,
  useDeleteContactMutation,
  useRestoreContactMutation,
  useUserContactsQuery,
} from "#web/generated/graphql.ts";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { AddButton } from "#web/ui/table/table-controls.tsx";

const columns: readonly Column<ContactFieldsFragment>[] = [
  { title: "First Name", text: (contact) => contact.firstName },
  { title: "Last Name", text: (contact) => contact.lastName },
  {
    title: "Email",
    text: (contact) => contact.email,
    wrap: "anywhere",
    // Encoded, because a question mark in an address would start the headers of the mailto link.
    render: ({ email }) => (
      <Anchor inherit href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>
        {email}
      </Anchor>
    ),
  },
  { title: "Phone", text: (contact) => contact.phone, wrap: "never" },
  { title: "Contact type", text: (contact) => findLabel(contactTypes, contact.contactType) },
];

export function ContactsTab({ userId }: { userId: string }) {
  const list = useUrlList({ pageSize: 10, rememberAs: "contacts" });
  const { data, error, refetch } = useUserContactsQuery({ variables: { userId } });
  const openDialog = useOpenDialog();
  const [deleteContact] = useDeleteContactMutation();
  const [restoreContact] = useRestoreContactMutation();
  const canEdit = useStaffRole("support");
  const contacts = data?.user.contacts;
  const reload = () => void refetch().catch(() => undefined);
  const edit = (contact: ContactFieldsFragment | null) =>
    openDialog(() => import("./contact-dialog.tsx"), { userId, contact, onSaved: reload });
  useRequestedAction({ add: () => canEdit && edit(null) });

  function remove(contact: ContactFieldsFragment) {
    const variables = { userId, id: contact.id };
    confirmAction({
      title: "Delete contact",
      confirmLabel: "Delete",
      danger: true,
      text: `Delete ${formatName(contact)}? You can undo this for some seconds.`,
      run: () => deleteContact({ variables }),
      success: "The contact has been successfully deleted.",
      failure: "Unable to delete the contact.",
      undo: {
        run: () => restoreContact({ variables }),
        success: "The contact has been restored.",
        failure: "Unable to restore the contact.",
      },
      // Even after an error, because another admin may have deleted the contact.
      onSettled: reload,
    });
  }

  return (
    <DataTable
      name="Contacts"
      columns={columns}
      rows={contacts}
      rowId={(contact) => contact.id}
      list={list}
      rowLabel={formatName}
      actions={(contact) =>
        canEdit
          ? [
              { label: "Edit", icon: IconPencil, onSelect: () => edit(contact) },
              { label: "Delete", icon: IconTrash, danger: true, onSelect: () => remove(contact) },
            ]
          : []
      }
      toolbar={canEdit && <AddButton onClick={() => edit(null)}>Create A Contact</AddButton>}
      emptyMessage="No Contacts."
      error={contacts ? undefined : error}
      failure="Unable to get the user details."
      onRetry={reload}
    />
  );
}

function formatName({ firstName, lastName }: ContactFieldsFragment): string {
  return `${firstName} ${lastName}`;
}
