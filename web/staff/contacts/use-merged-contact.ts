import { useApolloClient } from "@apollo/client/react";
import type { UseFormReturn } from "react-hook-form";
import { contactFields, contactTypes, type ContactValues } from "#schema/contact.ts";
import { findLabel } from "#schema/closed-list.ts";
import { getFormValues, getLabels } from "#schema/field.ts";
import { type ContactFieldsFragment, ContactSinceDocument } from "#web/generated/graphql.ts";
import { useMergedEdits } from "#web/ui/concurrent-edits/use-merged-edits.ts";

export const contactLabels = getLabels(contactFields);

/** Converts a contact to form values; empty for a new contact. */
export function toContactFormValues(contact: ContactFieldsFragment | null): ContactValues {
  return getFormValues(contactFields, contact);
}

/** Merges the form with changes that another admin saved to the contact in the meantime. */
export function useMergedContact(
  form: UseFormReturn<ContactValues>,
  userId: string,
  contact: ContactFieldsFragment | null,
) {
  const client = useApolloClient();
  return useMergedEdits<ContactFieldsFragment | null, ContactValues>(contact, {
    toValues: toContactFormValues,
    read: () => ({ ...form.getValues() }),
    restart: (stored) => form.reset(toContactFormValues(stored)),
    write: (values, name) => form.setValue(name, values[name], { shouldDirty: true }),
    labels: contactLabels,
    formatValue: (values, name) =>
      name === "contactType" ? findLabel(contactTypes, Number(values[name])) : String(values[name]),
    fallbackName: "Another admin",
    loadLatest: async (base) => {
      const { data } = await client.query({
        query: ContactSinceDocument,
        variables: { userId, id: base?.id ?? "", revision: base?.revision ?? 0 },
        fetchPolicy: "network-only",
      });
      const stored = data?.user.contacts.find(({ id }) => id === base?.id);
      if (!data || !stored) throw new Error("The response has no such contact.");
      return { stored, changes: data.contactChanges };
    },
  });
}
