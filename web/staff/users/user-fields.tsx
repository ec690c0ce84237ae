import { SimpleGrid, TextInput } from "@mantine/core";
import { type Control, type FieldPath, type FieldValues, type UseFormReturn, useWatch } from "react-hook-form";
import { cleanNumber } from "#schema/clean-text.ts";
import { MemberType, memberTypes, userFields } from "#schema/user.ts";
import { staffRoles } from "#schema/staff-roles.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { getLabels } from "#schema/field.ts";
import { addressSource } from "#web/people/addresses/address-search.tsx";
import { AddressFields } from "#web/people/addresses/address-fields.tsx";
import { type AddressValues, addressNames } from "#schema/address-forms.ts";
import { CheckboxField, EmailField, PhoneField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { type FieldProps, useTextualField } from "#web/ui/form/use-field.tsx";
import { FieldColumns, FieldGroup } from "#web/ui/form/form-parts.tsx";
import { CheckGroupField } from "./check-group-field.tsx";
import { ContestedFieldChoices } from "#web/ui/concurrent-edits/merged-form.tsx";

export const fieldLabels = { ...getLabels(userFields), blockedMachines: "Blocked Machines", staffRoles: "Staff roles" };

type Name = keyof typeof fieldLabels;

const flags = [
  ["isServiceProvider"],
  ["isTester"],
  ["issuedW8Form"],
  ["completedSecurityInformation"],
  ["completedSoftwareQA"],
  ["isSubscribedToNewsLetter"],
  ["hasCompletedTrial", "Clear it to allow another trial."],
] as const satisfies readonly (readonly [Name, string?])[];

interface UserFieldsProps<TValues extends FieldValues> {
  form: UseFormReturn<TValues>;
  /** Hides the ABN, which is entered on updates only. */
  isNew?: boolean;
  /** Hint under the email field. */
  emailHint?: string;
}

/** Fields that the create and update forms share. */
export function UserFields<TValues extends FieldValues & AddressValues>(props: UserFieldsProps<TValues>) {
  const { form, isNew = false, emailHint } = props;
  const control = form.control as Control<TValues>;
  const field = (name: Name) => ({ control, name: name as FieldPath<TValues>, label: fieldLabels[name] });

  const isOwner = useStaffRole("owner");
  const isAdmin = Number(useWatch({ control, name: "memberType" as FieldPath<TValues> })) === MemberType.Admin;

  return (
    <>
      <FieldColumns>
        <TextField {...field("firstName")} autoComplete="off" />
        <TextField {...field("lastName")} autoComplete="off" />
      </FieldColumns>
      <ContestedFieldChoices names={["firstName", "lastName"]} />
      <FieldColumns>
        <TextField {...field("position")} optional autoComplete="off" />
        <PhoneField {...field("mobile")} autoComplete="off" />
      </FieldColumns>
      <ContestedFieldChoices names={["position", "mobile"]} />

      <FieldGroup title="Sign-in and role">
        <FieldColumns>
          <EmailField {...field("email")} hint={emailHint} autoComplete="off" />
          <SelectField
            {...field("memberType")}
            options={memberTypes.filter(({ value }) => isOwner || isAdmin || value !== MemberType.Admin)}
          />
        </FieldColumns>
        {isAdmin && <CheckGroupField {...field("staffRoles")} options={staffRoles} disabled={!isOwner} />}
        <ContestedFieldChoices names={["email", "memberType", "staffRoles"]} />
      </FieldGroup>

      <FieldGroup title="Company">
        {!isNew ? (
          <FieldColumns>
            <TextField {...field("companyName")} optional autoComplete="off" />
            <AbnField {...field("abn")} />
          </FieldColumns>
        ) : (
          <TextField {...field("companyName")} optional autoComplete="off" />
        )}
        <ContestedFieldChoices names={["companyName", "abn"]} />
      </FieldGroup>

      <FieldGroup title="Address">
        <AddressFields form={form} source={addressSource} />
        <ContestedFieldChoices names={addressNames} />
      </FieldGroup>

      <FieldGroup title="Staff details">
        <SimpleGrid minColWidth="min(100%, 19rem)" spacing="lg" verticalSpacing="xs">
          {flags.map(([name, hint]) => (
            <CheckboxField key={name} {...field(name)} hint={isNew ? undefined : hint} />
          ))}
        </SimpleGrid>
        <ContestedFieldChoices names={flags.map(([name]) => name)} />
        <FieldColumns shares={[2, 1]}>
          <TextField {...field("referrer")} optional autoComplete="off" />
          <TextField {...field("annualDeactivationLimit")} inputMode="numeric" autoComplete="off" />
        </FieldColumns>
        <ContestedFieldChoices names={["referrer", "annualDeactivationLimit"]} />
      </FieldGroup>
    </>
  );
}

/** Formats the typed digits as `99 999 999 999`. */
export function formatAbnInput(typed: string): string {
  const digits = cleanNumber(typed).replace(/\D/g, "").slice(0, 11);
  return [digits.slice(0, 2), digits.slice(2, 5), digits.slice(5, 8), digits.slice(8)].filter(Boolean).join(" ");
}

/** Edits an ABN. Formats while typing at the end, but not while correcting digits in the middle. */
function AbnField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { frame, box } = useTextualField({ ...props, optional: true, hint: "11 digits" });
  const { value: shown } = box;
  return (
    <TextInput
      {...frame}
      {...box}
      inputMode="numeric"
      autoComplete="off"
      onChange={({ currentTarget: { value: typed, selectionEnd } }) =>
        box.onChange(selectionEnd === typed.length && typed.length > shown.length ? formatAbnInput(typed) : typed)
      }
      onBlur={() => {
        if (/^[\d\s.-]+$/.test(shown)) box.onChange(formatAbnInput(shown));
        box.onBlur();
      }}
    />
  );
}
