import type { UseFormReturn } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import type { ProfileValues } from "#schema/rules/account.ts";
import { paths } from "#web/platform/paths.ts";
import { addressSource } from "#web/people/addresses/address-source.ts";
import { fullAddressOf } from "#web/people/addresses/full-address.ts";
import { type ProfileQuery, useProfileQuery, useUpdateProfileMutation } from "#web/generated/graphql.ts";
import { AddressFields } from "#web/ui/form/address-fields.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, EmailField, PhoneField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FieldGroup, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import classes from "./profile-form.module.css";
import { afterEmailChange } from "./signed-out-first.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/platform/server-error.ts";

const loadRules = () => import("#schema/rules/account.ts").then((file) => file.profileRules);

type ShownProfile = ProfileQuery["me"];

const names = [
  "firstName",
  "lastName",
  "companyName",
  "position",
  "email",
  "mobile",
  "unitNumber",
  "streetNumber",
  "streetName",
  "city",
  "state",
  "postCode",
  "country",
  "isTester",
  "isServiceProvider",
] as const satisfies readonly (keyof ShownProfile & keyof ProfileValues)[];

/** What the form sends of a profile; the rest is the api's own. */
function valuesOf(profile: ShownProfile): ProfileValues {
  return pick(profile, names);
}

/**
 * The details of the signed-in person. With another email address the session ends here and the address's confirmation
 * page is next (docs/domain.md#change-email); what was typed stays when the api refuses.
 */
export function ProfileForm({ profile }: { profile: ShownProfile }) {
  const navigate = useNavigate();
  const [update] = useUpdateProfileMutation();
  const form = useAppForm(loadRules, { defaultValues: valuesOf(profile) });
  const { control } = form;

  async function send(values: ProfileValues) {
    const input = { ...values, fullAddress: fullAddressOf(values) };
    const { data } = await update({ variables: { input } });
    if (!data) return;
    const { confirmationHandle: handle, user } = data.updateProfile;
    if (handle) return navigate(paths.emailConfirmation.href({ userId: handle }), { state: afterEmailChange });
    form.reset(valuesOf(user));
    notify.success("Your profile has been successfully updated.");
  }

  return (
    <AppForm
      form={form}
      onSubmit={send}
      fallback="Unable to update your profile."
      label="Update Profile"
      draft={`update-profile.${profile.id}`}
    >
      {profile.pendingEmail && <PendingEmail email={profile.email} pendingEmail={profile.pendingEmail} />}
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
          hint="We mail a link to a new address. Until you open it, you sign in with the present one."
        />
        <PhoneField control={control} name="mobile" label="Phone" />
      </FieldColumns>
      <FieldGroup title="Address">
        <AddressFields form={form as UseFormReturn<ProfileValues>} source={addressSource} />
      </FieldGroup>
      <FieldGroup title="Taking part">
        <CheckboxField control={control} name="isTester" label="I am a tester" />
        <CheckboxField control={control} name="isServiceProvider" label="I am a service provider" />
      </FieldGroup>
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

function PendingEmail({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  return (
    <div className={classes.pending} role="note">
      <p>
        <b>{pendingEmail}</b> still waits for its confirmation. Until then you sign in with <b>{email}</b>.
      </p>
      <p>
        Enter it again to have the link sent again. Saving your details with the present address withdraws the change.
      </p>
    </div>
  );
}

/** Returns the named properties of `row` and nothing else. */
function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}

/** The person's details, ready to be changed. */
export function Profile() {
  // From the cache the form would begin with details that another tab has changed.
  const { data, error, refetch } = useProfileQuery({ fetchPolicy: "network-only" });
  if (data) return <ProfileForm profile={data.me} />;
  if (error)
    return (
      <ErrorState message={messageOf(error, "Unable to fetch the user profile.")} onRetry={() => void refetch()} />
    );
  return <LoadingBlock label="Loading your details" />;
}
