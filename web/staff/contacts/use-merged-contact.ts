import { useApolloClient } from "@apollo/client/react";
import type { UseFormReturn } from "react-hook-form";
import { contactTypes, labelOf } from "#schema/catalogue.ts";
import { contactFields } from "#schema/fields/contact.ts";
import { formValuesOf, labelsOf } from "#schema/fields/field.ts";
import type { ContactValues } from "#schema/rules/contact.ts";
import { type ContactFieldsFragment, ContactSinceDocument } from "#web/generated/graphql.ts";
import { useMergedEdits } from "#web/ui/form/use-merged-edits.ts";

export const contactLabels = labelsOf(contactFields);

/** Converts a contact to form values; empty for a new contact. */
export function contactValuesOf(contact: ContactFieldsFragment | null): ContactValues {
  return formValuesOf(contactFields, contact);
}

/** Merges the form with changes that another admin saved to the contact in the meantime. */
export function useMergedContact(
  form: UseFormReturn<ContactValues>,
  userId: string,
  contact: ContactFieldsFragment | null,
) {
  const client = useApolloClient();
  return useMergedEdits<ContactFieldsFragment | null, ContactValues>(contact, {
    valuesOf: contactValuesOf,
    read: () => ({ ...form.getValues() }),
    restart: (stored) => form.reset(contactValuesOf(stored)),
    write: (values, name) => form.setValue(name, values[name], { shouldDirty: true }),
    labels: contactLabels,
    inWords: (values, name) =>
      name === "contactType" ? labelOf(contactTypes, Number(values[name])) : String(values[name]),
    otherwise: "Another admin",
    latest: async (base) => {
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
