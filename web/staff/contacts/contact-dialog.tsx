import { contactFields, contactRules, contactTypes, type ContactValues } from "#schema/contact.ts";
import { pickFields, toInput } from "#schema/field.ts";
import { type ContactFieldsFragment, useAddContactMutation, useUpdateContactMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField, PhoneField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { ContestedFieldChoices } from "#web/ui/concurrent-edits/contested.tsx";
import { FormDialog, STAYS_OPEN } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import { MergedFields, sendMerged } from "#web/ui/concurrent-edits/merged-form.tsx";
import { contactLabels as labels, toContactFormValues, useMergedContact } from "./use-merged-contact.ts";

interface ContactDialogProps extends DialogControl {
  userId: string;
  /** Null creates a new one. */
  contact: ContactFieldsFragment | null;
  onSaved: () => void;
}

const options = contactTypes.map(({ value, label }) => ({ value: String(value), label }));

/** Creates or updates a contact. The form resets each time the dialog opens. */
export default function ContactDialog({ userId, contact, onSaved, ...dialog }: ContactDialogProps) {
  const [add] = useAddContactMutation();
  const [update] = useUpdateContactMutation();
  const form = useAppForm(contactRules, { defaultValues: toContactFormValues(contact) });
  const { control } = form;
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
          <TextField control={control} name="firstName" label={labels.firstName} autoComplete="off" focusFirst />
          <TextField control={control} name="lastName" label={labels.lastName} autoComplete="off" />
        </FieldColumns>
        <ContestedFieldChoices names={["firstName", "lastName"]} />
        <EmailField control={control} name="email" label={labels.email} autoComplete="off" />
        <ContestedFieldChoices names={["email"]} />
        <FieldColumns>
          <PhoneField control={control} name="phone" label={labels.phone} autoComplete="off" />
          <SelectField
            control={control}
            name="contactType"
            label={labels.contactType}
            placeholder="Choose"
            options={options}
          />
        </FieldColumns>
        <ContestedFieldChoices names={["phone", "contactType"]} />
      </MergedFields>
    </FormDialog>
  );
}
