import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { memberTypes } from "#schema/catalogue.ts";
import { addressSource } from "#web/people/addresses/address-source.ts";
import { AddressFields, type AddressValues } from "#web/ui/form/address-fields.tsx";
import { CheckboxField, EmailField, PhoneField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FieldGroup } from "#web/ui/form/form-parts.tsx";
import { AbnField } from "./abn-field.tsx";
import { Contested } from "#web/ui/form/contested.tsx";
import classes from "./user-form.module.css";

/** The fields of a user in their groups, for creating and updating. */
export const fieldLabels = {
  firstName: "First Name",
  lastName: "Last Name",
  companyName: "Company Name",
  position: "Position",
  memberType: "Member Type",
  email: "Email",
  mobile: "Phone",
  abn: "ABN",
  unitNumber: "Unit Number",
  streetNumber: "Street Number",
  streetName: "Street Name",
  city: "City",
  state: "State",
  postCode: "Post Code",
  country: "Country",
  referrer: "Referrer",
  isServiceProvider: "Service Provider",
  isTester: "Tester",
  issuedW8Form: "Issued W8 Form",
  completedSecurityInformation: "Completed Security Information",
  completedSoftwareQA: "Completed Software QA",
  isSubscribedToNewsLetter: "Subscribed To Newsletter",
  hasCompletedTrial: "Has Completed Trial",
  annualDeactivationLimit: "Annual Deactivation Limit",
  blockedMachines: "Blocked Machines",
} as const;

type Name = keyof typeof fieldLabels;

export const addressNames = [
  "unitNumber",
  "streetNumber",
  "streetName",
  "city",
  "state",
  "postCode",
  "country",
] as const satisfies readonly Name[];

const flags = [
  ["isServiceProvider"],
  ["isTester"],
  ["issuedW8Form"],
  ["completedSecurityInformation"],
  ["completedSoftwareQA"],
  ["isSubscribedToNewsLetter"],
  ["hasCompletedTrial", "Clearing it lets the person have another trial."],
] as const satisfies readonly (readonly [Name, string?])[];

interface UserFieldsProps<TValues extends FieldValues> {
  form: UseFormReturn<TValues>;
  /** The password's fields, when a user is created. */
  password?: ReactNode;
  /** Being created: without the ABN, which is entered on updates only. */
  isNew?: boolean;
  /** Said under the address. */
  emailHint?: string;
}

/** Person, sign-in and role, company, address, and what staff keep about a user. */
export function UserFields<TValues extends FieldValues & AddressValues>(props: UserFieldsProps<TValues>) {
  const { form, password, isNew = false, emailHint } = props;
  const control = form.control as Control<TValues>;
  const field = (name: Name) => ({ control, name: name as FieldPath<TValues>, label: fieldLabels[name] });

  return (
    <>
      <FieldColumns>
        <TextField {...field("firstName")} autoComplete="off" />
        <TextField {...field("lastName")} autoComplete="off" />
      </FieldColumns>
      <Contested names={["firstName", "lastName"]} />
      <FieldColumns>
        <TextField {...field("position")} optional autoComplete="off" />
        <PhoneField {...field("mobile")} autoComplete="off" />
      </FieldColumns>
      <Contested names={["position", "mobile"]} />

      <FieldGroup title="Sign-in and role">
        <FieldColumns>
          <EmailField {...field("email")} hint={emailHint} autoComplete="off" />
          <SelectField
            {...field("memberType")}
            options={memberTypes.map(({ value, label }) => ({ value: String(value), label }))}
          />
        </FieldColumns>
        <Contested names={["email", "memberType"]} />
        {password}
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
        <Contested names={["companyName", "abn"]} />
      </FieldGroup>

      <FieldGroup title="Address">
        <AddressFields form={form} source={addressSource} />
        <Contested names={addressNames} />
      </FieldGroup>

      <FieldGroup title="Kept by staff">
        <div className={classes.flags}>
          {flags.map(([name, hint]) => (
            <CheckboxField key={name} {...field(name)} hint={isNew ? undefined : hint} />
          ))}
        </div>
        <Contested names={flags.map(([name]) => name)} />
        <FieldColumns shares={[2, 1]}>
          <TextField {...field("referrer")} optional autoComplete="off" />
          <TextField {...field("annualDeactivationLimit")} inputMode="numeric" autoComplete="off" />
        </FieldColumns>
        <Contested names={["referrer", "annualDeactivationLimit"]} />
      </FieldGroup>
    </>
  );
}
