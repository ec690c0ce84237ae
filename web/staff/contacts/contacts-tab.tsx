import { Anchor, Button } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { contactTypes } from "#schema/contact.ts";
import { findLabel } from "#schema/closed-list.ts";
import {
  type ContactFieldsFragment,
  useDeleteContactMutation,
  useRestoreContactMutation,
  useUserContactsQuery,
} from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { useLastValue } from "#web/platform/use-last-value.ts";

const ContactDialog = lazyDialog(
  () => import("./contact-dialog.tsx").then((file) => file.ContactDialog),
  ({ edited }) => edited !== null,
);

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
  {
    title: "Phone",
    text: (contact) => contact.phone,
    wrap: "never",
  },
  { title: "Contact type", text: (contact) => findLabel(contactTypes, contact.contactType) },
];

export function ContactsTab({ userId }: { userId: string }) {
  const list = useUrlList({ pageSize: 10, rememberAs: "contacts" });
  const { data, error, refetch } = useUserContactsQuery({ variables: { userId } });
  const [edited, setEdited] = useState<{ contact: ContactFieldsFragment | null } | null>(null);
  const [deleting, setDeleting] = useState<ContactFieldsFragment | null>(null);
  useRequestedAction({ add: () => setEdited({ contact: null }) });
  const canEdit = useStaffRole("support");
  const contacts = data?.user.contacts;
  const reload = () => void refetch().catch(() => undefined);

  return (
    <>
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
                { label: "Edit", icon: IconPencil, onSelect: () => setEdited({ contact }) },
                { label: "Delete", icon: IconTrash, danger: true, onSelect: () => setDeleting(contact) },
              ]
            : []
        }
        toolbar={
          canEdit && (
            <Button
              size="sm"
              leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />}
              onClick={() => setEdited({ contact: null })}
            >
              Create A Contact
            </Button>
          )
        }
        emptyMessage="No Contacts."
        error={contacts ? undefined : error}
        failure="Unable to get the user details."
        onRetry={reload}
      />
      <ContactDialog userId={userId} edited={edited} onClose={() => setEdited(null)} onSaved={reload} />
      <DeleteContactDialog userId={userId} contact={deleting} onClose={() => setDeleting(null)} onSettled={reload} />
    </>
  );
}

function DeleteContactDialog(props: {
  userId: string;
  contact: ContactFieldsFragment | null;
  onClose: () => void;
  onSettled: () => void;
}) {
  const { userId, onClose, onSettled } = props;
  const [deleteContact] = useDeleteContactMutation();
  const [restoreContact] = useRestoreContactMutation();
  const contact = useLastValue(props.contact);

  async function remove() {
    notify.clearErrors();
    const variables = { userId, id: contact?.id ?? "" };
    try {
      await deleteContact({ variables });
      notify.undoable("The contact has been successfully deleted.", () => void undo(variables));
    } catch (error) {
      notify.failure(error, "Unable to delete the contact.");
    }
    onClose();
    // Reload even after an error, because another admin may have deleted the contact.
    onSettled();
  }

  async function undo(variables: { userId: string; id: string }) {
    try {
      await restoreContact({ variables });
      notify.success("The contact has been restored.");
    } catch (error) {
      notify.failure(error, "Unable to restore the contact.");
    }
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={props.contact !== null}
      title="Delete contact"
      confirmLabel="Delete"
      danger
      onConfirm={remove}
      onCancel={onClose}
    >
      {contact && `Delete ${formatName(contact)}? You can undo this for some seconds.`}
    </ConfirmDialog>
  );
}

function formatName({ firstName, lastName }: ContactFieldsFragment): string {
  return `${firstName} ${lastName}`;
}
