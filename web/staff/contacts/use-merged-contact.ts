import { useApolloClient } from "@apollo/client/react";
import type { UseFormReturn } from "react-hook-form";
import { contactTypes, labelOf } from "#schema/catalogue.ts";
import type { ContactValues } from "#schema/rules/contact.ts";
import { type ContactFieldsFragment, ContactSinceDocument } from "#web/generated/graphql.ts";
import { useMergedEdits } from "#web/ui/form/use-merged-edits.ts";

/** What the form calls its fields. */
export const contactLabels = {
  firstName: "First Name",
  lastName: "Last Name",
  email: "Email",
  phone: "Phone",
  contactType: "Contact Type",
} as const;

/** A contact as the form holds it; a new one is empty. */
export function contactValuesOf(contact: ContactFieldsFragment | null): ContactValues {
  const { firstName = "", lastName = "", email = "", phone = "", contactType = "" } = contact ?? {};
  // The select holds text until the rule has read it.
  return { firstName, lastName, email, phone, contactType: String(contactType) as never };
}

/** The contact that the form stands on, brought together with what another admin saved meanwhile; null for a new one. */
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
      if (!data || !stored) throw new Error("The contact was not answered.");
      return { stored, changes: data.contactChanges };
    },
  });
}
