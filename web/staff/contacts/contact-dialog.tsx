import { contactFields, contactRules, contactTypes, type ContactValues } from "#schema/contact.ts";
import { pickFields, toInput, getFormValues, getLabels } from "#schema/field.ts";
import {
  type ContactFieldsFragment,
  useAddContactMutation,
  useUpdateContactMutation,
  ContactSinceDocument,
} from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField, PhoneField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { bindFields } from "#web/ui/form/use-field.tsx";
import { FormDialog, STAYS_OPEN } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import { ContestedFieldChoices, MergedFields, sendMerged } from "#web/ui/concurrent-edits/merged-form.tsx";
import { useApolloClient } from "@apollo/client/react";
import type { UseFormReturn } from "react-hook-form";
import { findLabel } from "#schema/closed-list.ts";
import { useMergedEdits } from "#web/ui/concurrent-edits/use-merged-edits.ts";

interface ContactDialogProps extends DialogControl {
  userId: string;
  /** Null creates a new one. */
  contact: ContactFieldsFragment | null;
  onSaved: () => void;
}

/** Creates or updates a contact. The form resets each time the dialog opens. */
export default function ContactDialog({ userId, contact, onSaved, ...dialog }: ContactDialogProps) {
  const [add] = useAddContactMutation();
  const [update] = useUpdateContactMutation();
  const form = useAppForm(contactRules, { defaultValues: toContactFormValues(contact) });
  const field = bindFields(contactFields, form.control);
  const merged = useMergedContact(form, userId, contact);

  async function save(values: ContactValues) {
    const input = toInput(contactFields, pickFields(contactFields, values));
    const saved = await sendMerged(merged, async () => {
      const { base } = merged;
      if (base) await update({ variables: { userId, id: base.id, input, revision: base.revision } });
      else await add({ variables: { userId, input } });
    });
    return saved ? null : STAYS_OPEN;
  }

  return (
    <FormDialog
      {...dialog}
      title={contact ? "Update contact" : "Create A Contact"}
      size="lg"
      form={form}
      onSubmit={save}
      success={contact ? "The contact has been successfully updated." : "The contact has been successfully saved."}
      onDone={onSaved}
      fallback={contact ? "Unable to update the contact." : "Unable to add the contact."}
    >
      <MergedFields merged={merged} noun="contact">
        <FieldColumns>
          <TextField {...field("firstName")} autoComplete="off" focusFirst />
          <TextField {...field("lastName")} autoComplete="off" />
        </FieldColumns>
        <ContestedFieldChoices names={["firstName", "lastName"]} />
        <EmailField {...field("email")} autoComplete="off" />
        <ContestedFieldChoices names={["email"]} />
        <FieldColumns>
          <PhoneField {...field("phone")} autoComplete="off" />
          <SelectField {...field("contactType")} placeholder="Choose" options={contactTypes} />
        </FieldColumns>
        <ContestedFieldChoices names={["phone", "contactType"]} />
      </MergedFields>
    </FormDialog>
  );
}

const labels = getLabels(contactFields);

/** Converts a contact to form values; empty for a new contact. */
function toContactFormValues(contact: ContactFieldsFragment | null): ContactValues {
  return getFormValues(contactFields, contact);
}

/** Merges the form with changes that another admin saved to the contact in the meantime. */
function useMergedContact(form: UseFormReturn<ContactValues>, userId: string, contact: ContactFieldsFragment | null) {
  const client = useApolloClient();
  return useMergedEdits<ContactFieldsFragment | null, ContactValues>(contact, {
    toValues: toContactFormValues,
    read: () => ({ ...form.getValues() }),
    restart: (stored) => form.reset(toContactFormValues(stored)),
    write: (values, name) => form.setValue(name, values[name], { shouldDirty: true }),
    labels,
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
