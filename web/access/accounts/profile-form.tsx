import { Alert } from "@mantine/core";
import type { UseFormReturn } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import type { ProfileValues } from "#schema/account.ts";
import { paths } from "#web/platform/paths.ts";
import { renewClaimsFor } from "#web/platform/refresh-session.ts";
import { addressSource } from "#web/people/addresses/address-search.tsx";
import { addressNames, formatFullAddress } from "#schema/address-forms.ts";
import { type ProfileQuery, useProfileQuery, useUpdateProfileMutation } from "#web/generated/graphql.ts";
import { AddressFields } from "#web/people/addresses/address-fields.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, EmailField, PhoneField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FieldGroup, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { emailChangeState } from "./sign-out-after-email-change.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for the user's own details. */
export default function UpdateProfilePage() {
  // The cache might have details that another tab has changed since.
  const query = useProfileQuery({ fetchPolicy: "network-only" });
  return (
    <PageLayout
      title={paths.updateProfile.title}
      lead="Keep your details true, accurate and current."
      back={{ to: paths.myAccount.href(), label: "My Account" }}
      width="form"
      card
    >
      <Loaded query={query} failure="Unable to fetch the user profile." loading="Loading your details">
        {({ me }) => <ProfileForm profile={me} read={async () => (await query.refetch()).data?.me} />}
      </Loaded>
    </PageLayout>
  );
}

const loadRules = () => import("#schema/account.ts").then((file) => file.profileRules);

type ShownProfile = ProfileQuery["me"];

const fieldNames = [
  "firstName",
  "lastName",
  "companyName",
  "position",
  "email",
  "mobile",
  ...addressNames,
  "isTester",
  "isServiceProvider",
] as const satisfies readonly (keyof ShownProfile & keyof ProfileValues)[];

/** Returns the profile fields that the form sends. */
const toFormValues = (me: ShownProfile): ProfileValues =>
  Object.fromEntries(fieldNames.map((name) => [name, me[name]])) as Pick<ShownProfile, (typeof fieldNames)[number]>;

/**
 * Form for the signed-in user's details. After a new email address is saved, the session ends and the address's
 * confirmation page opens (docs/domain.md#change-email). Input is kept if the API rejects it.
 */
function ProfileForm({ profile, read }: { profile: ShownProfile; read: () => Promise<ShownProfile | undefined> }) {
  const navigate = useNavigate();
  const [update] = useUpdateProfileMutation();
  const form = useAppForm(loadRules, { defaultValues: toFormValues(profile) });
  const { control } = form;
  const { defaultValues: loaded } = form.formState;

  async function send(entered: ProfileValues) {
    // Another tab may have changed the other fields since this form was loaded.
    const latest = await read();
    const edited = fieldNames.filter((name) => (entered[name] ?? "") !== loaded?.[name]);
    // An address is never put together from two.
    const own = addressNames.some((name) => edited.includes(name)) ? [...edited, ...addressNames] : edited;
    const kept = fieldNames
      .filter((name) => !own.includes(name))
      .map((name) => [name, latest?.[name] ?? entered[name]]);
    const values: ProfileValues = { ...entered, ...Object.fromEntries(kept) };
    const input = { ...values, fullAddress: formatFullAddress(values) };
    const { data } = await update({ variables: { input } });
    if (!data) return;
    const { confirmationHandle: handle, user } = data.updateProfile;
    if (handle) return navigate(paths.emailConfirmation.href({ userId: handle }), { state: emailChangeState });
    form.reset(toFormValues(user));
    renewClaimsFor(user.id);
    notify.success("Your profile has been successfully updated.");
  }

  return (
    <AppForm
      form={form}
      onSubmit={send}
      fallback="Unable to update your profile."
      label="Update profile"
      draft={`update-profile.${profile.id}`}
    >
      {profile.pendingEmail && (
        <Alert role="note" color="gray">
          <p>
            <b>{profile.pendingEmail}</b> is not confirmed yet. Until then, sign in with <b>{profile.email}</b>.
          </p>
          <p>To get a new link, enter it again. To cancel the change, save your details with your current address.</p>
        </Alert>
      )}
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
        <EmailField
          control={control}
          name="email"
          label="Email"
          hint="We'll email a link to a new address. Until you open it, sign in with your current address."
        />
        <PhoneField control={control} name="mobile" label="Phone" />
      </FieldColumns>
      <FieldGroup title="Address">
        <AddressFields form={form as UseFormReturn<ProfileValues>} source={addressSource} />
      </FieldGroup>
      <FieldGroup title="Testing and services">
        <CheckboxField control={control} name="isTester" label="I am a tester" />
        <CheckboxField control={control} name="isServiceProvider" label="I am a service provider" />
      </FieldGroup>
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
