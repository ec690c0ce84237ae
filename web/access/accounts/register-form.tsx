import type { Control, UseFormReturn } from "react-hook-form";
import { Link, useNavigate } from "react-router-dom";
import type { InferType } from "yup";
import type { registerFormRules } from "#schema/account.ts";
import { getReaderTimeZone } from "#schema/dates.ts";
import { paths } from "#web/platform/paths.ts";
import { addressSource } from "#web/people/addresses/address-search.tsx";
import { AddressInputs } from "#web/people/addresses/address-inputs.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import {
  CheckboxField,
  EmailField,
  PasswordField,
  PhoneField,
  SelectField,
  TextField,
} from "#web/ui/form/native-fields.tsx";
import { FieldColumns, FieldGroup, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { blankAddress, formatFullAddress } from "#schema/address-forms.ts";
import operation from "operation:Register";
import { brand } from "#schema/brand.ts";
import { AcceptButton } from "#web/ui/form/accept-button.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./accounts.module.css";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { type SignUpIntent, intentTitles, useSignUpIntent } from "./sign-up-intent.ts";
import { SplitLayout } from "#web/ui/page-layout.tsx";
import type { CSSProperties } from "react";

const loadRules = () => import("#schema/account.ts").then((file) => file.registerFormRules);

type Values = InferType<typeof registerFormRules>;

const emptyValues: Values = {
  firstName: "",
  lastName: "",
  companyName: "",
  position: "",
  email: "",
  mobile: "",
  password: "",
  confirmPassword: "",
  ...blankAddress,
  isTester: false,
  isServiceProvider: false,
  acceptedTheTerms: false,
};

/** Registration form. It opens the confirmation page on success and keeps the input if the API rejects it. */
function RegisterForm({ intent }: { intent: SignUpIntent | null }) {
  const navigate = useNavigate();
  const form = useAppForm(loadRules, { defaultValues: emptyValues });
  const { control } = form;
  const isTrial = intent === "trial";

  // The API input has no field for the accepted terms.
  async function send({ acceptedTheTerms: _accepted, ...values }: Values) {
    const input = {
      ...values,
      fullAddress: formatFullAddress(values),
      timeZone: getReaderTimeZone(),
      ...(isTrial ? { trialIntent: true } : {}),
    };
    const { register } = await postGraphql(operation, { input });
    return navigate(paths.emailConfirmation.href({ userId: register.confirmationHandle }));
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to register." label="Register" draft="register">
      {isTrial && (
        <section className={`${classes.panel} ${layout.note}`} aria-labelledby="trial">
          <h2 id="trial">Trial Professional</h2>
          <p>
            14 days free, without a card. Confirm your email address, and your licence code and the download are on the
            next page. Have an account? <Link to={paths.login.href()}>Log in to start the trial</Link>
          </p>
        </section>
      )}
      <FieldGroup title="1. Your account">
        <FieldColumns>
          <TextField control={control} name="firstName" label="First Name" autoComplete="given-name" />
          <TextField control={control} name="lastName" label="Last Name" autoComplete="family-name" />
        </FieldColumns>
        <FieldColumns>
          <EmailField control={control} name="email" label="Email" />
          <PhoneField control={control} name="mobile" label="Phone" />
        </FieldColumns>
        <FieldColumns>
          <NewPasswordFields control={control} PasswordField={PasswordField} label="Password" />
        </FieldColumns>
      </FieldGroup>
      <FieldGroup title="2. Your company and address">
        <TextField
          control={control}
          name="companyName"
          label="Organisation / Company Name"
          optional
          autoComplete="organization"
        />
        <TextField control={control} name="position" label="Position" autoComplete="organization-title" />
        <AddressInputs
          form={form as UseFormReturn<Values>}
          source={addressSource}
          inputs={{ SelectField, TextField }}
        />
        <CheckboxField control={control} name="isTester" label="I would like to be a tester of pre-release versions" />
        <CheckboxField control={control} name="isServiceProvider" label="Register me as a service provider" />
      </FieldGroup>
      <TermsPanel control={control} isTrial={isTrial} />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
        <span>
          Already have an account? <Link to={paths.login.href()}>Login Now</Link>
        </span>
      </FormActions>
    </AppForm>
  );
}

/** Summary of the terms, with the button that accepts them. */
function TermsPanel({ control, isTrial }: { control: Control<Values>; isTrial: boolean }) {
  return (
    <section
      className={`${layout.card} ${classes.panel} ${classes.box} ${layout.note}`}
      aria-labelledby="terms"
      data-break="anywhere"
    >
      <h2 id="terms">Terms and privacy</h2>
      <p>
        The information you give must be true, accurate and identifiable, and your account must be verified by email
        before you can use it.
      </p>
      <ul>
        <li>A single-user licence is for one user on one machine. It must not be shared or transferred.</li>
        <li>You can have one account and one trial, without aliases, and you must be at least 16.</li>
        <li>
          {brand.company.legalName} stores your details to run your account and licences, and does not sell them.
          Australian law applies.
        </li>
        {isTrial && (
          <li>
            The trial is for one user on one device. It is not intended for organisations or conversion services, and
            starts when you have confirmed your email address.
          </li>
        )}
      </ul>
      <p>
        Read the{" "}
        <Link to={paths.terms.href()} target="_blank">
          terms and conditions
        </Link>{" "}
        and the{" "}
        <Link to={paths.privacy.href()} target="_blank">
          privacy policy
        </Link>
        . They open in a new tab.
      </p>
      <AcceptButton control={control} name="acceptedTheTerms" label="Accept terms and privacy policy" />
    </section>
  );
}

export default function RegisterPage() {
  const intent = useSignUpIntent();
  return (
    <SplitLayout
      title={paths.register.title}
      lead={intent ? `${intentTitles[intent]}.` : "Manage your trial, licences and devices in one account."}
      aside={<RegistrationSteps />}
    >
      <RegisterForm intent={intent} />
    </SplitLayout>
  );
}

/** A short copy of the steps on the home page, because the registration page doesn't load the home page's content. */
const steps = [
  { title: "Create your account", text: "Register with your work email and confirm it. It takes about two minutes." },
  {
    title: "Start the trial",
    text: "Try all Professional features free for 14 days, or until you've used up your trial conversions. No card needed.",
  },
  {
    title: "Convert where you plan",
    text: "Install the add-in, paste your licence code, and convert in both directions without leaving your plan.",
  },
] as const;

/** Steps to the first conversion, drawn as three schedule bars next to the registration form. */
function RegistrationSteps() {
  return (
    <>
      <h2>Steps to your first conversion</h2>
      <ol className={classes.steps}>
        {steps.map((step, position) => (
          <li key={step.title} style={{ "--step": position } as CSSProperties}>
            <h3>{step.title}</h3>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
