import type { UseFormReturn } from "react-hook-form";
import { Link, useNavigate } from "react-router-dom";
import type { InferType } from "yup";
import type { registerFormRules } from "#schema/rules/account.ts";
import { defaultCountry } from "#schema/limits.ts";
import { paths } from "#web/platform/paths.ts";
import { addressSource } from "#web/people/addresses/address-source.ts";
import { AddressFields } from "#web/ui/form/address-fields.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, EmailField, PasswordField, PhoneField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FieldGroup, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { register } from "./register.ts";
import { TermsPanel } from "./terms-panel.tsx";

const loadRules = () => import("#schema/rules/account.ts").then((file) => file.registerFormRules);

type Values = InferType<typeof registerFormRules>;

const blank: Values = {
  firstName: "",
  lastName: "",
  companyName: "",
  position: "",
  email: "",
  mobile: "",
  password: "",
  confirmPassword: "",
  unitNumber: "",
  streetNumber: "",
  streetName: "",
  city: "",
  state: "",
  postCode: "",
  country: defaultCountry,
  isTester: false,
  isServiceProvider: false,
  acceptedTheTerms: false,
};

/** Registration. Leads to the confirmation page; what was typed stays when the api refuses. */
export function RegisterForm() {
  const navigate = useNavigate();
  const form = useAppForm(loadRules, { defaultValues: blank });
  const { control } = form;

  async function send(values: Values) {
    // The accepted terms belong to the form alone.
    const { acceptedTheTerms: _accepted, ...input } = values;
    const handle = await register(input);
    return navigate(paths.emailConfirmation.href({ userId: handle }));
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to register." label="Register" draft="register">
      <FieldColumns>
        <TextField control={control} name="firstName" label="First Name" autoComplete="given-name" />
        <TextField control={control} name="lastName" label="Last Name" autoComplete="family-name" />
      </FieldColumns>
      <TextField
        control={control}
        name="companyName"
        label="Organisation / Company Name"
        optional
        autoComplete="organization"
      />
      <TextField control={control} name="position" label="Position" autoComplete="organization-title" />
      <FieldColumns>
        <EmailField control={control} name="email" label="Email" />
        <PhoneField control={control} name="mobile" label="Phone" />
      </FieldColumns>
      <FieldGroup title="Password">
        <FieldColumns>
          <PasswordField
            control={control}
            name="password"
            label="Password"
            hint="At least 8 characters, one of them a number."
            autoComplete="new-password"
          />
          <PasswordField
            control={control}
            name="confirmPassword"
            label="Confirm Password"
            autoComplete="new-password"
          />
        </FieldColumns>
      </FieldGroup>
      <FieldGroup title="Address">
        <AddressFields form={form as UseFormReturn<Values>} source={addressSource} />
      </FieldGroup>
      <FieldGroup title="Taking part">
        <CheckboxField control={control} name="isTester" label="I would like to be a tester of pre-release versions" />
        <CheckboxField control={control} name="isServiceProvider" label="Register me as a service provider" />
      </FieldGroup>
      <TermsPanel control={control} name="acceptedTheTerms" />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
        <span>
          Already have an account? <Link to={paths.login.href()}>Login Now</Link>
        </span>
      </FormActions>
    </AppForm>
  );
}
