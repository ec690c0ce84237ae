import type { UseFormReturn } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { createUserFormRules, type CreateUserValues, userFields } from "#schema/user.ts";
import { paths } from "#web/platform/paths.ts";
import { formatFullAddress } from "#schema/address-forms.ts";
import { useCreateUserMutation } from "#web/generated/graphql.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { BlockedWhileSaving, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLeaveGuard } from "#web/ui/form/leave-guard.tsx";
import { notify } from "#web/platform/notifications.ts";
import { UserFields } from "./user-fields.tsx";
import { newUserValues, toRoleCodes } from "./user-values.ts";
import { toInput } from "#schema/field.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

export default function CreateUserPage() {
  return (
    <PageLayout
      title={paths.createUser.title}
      lead="Create an account for someone else. We'll email them a link to choose a password."
      back={{ to: paths.manageUsers.href(), label: "Manage Users" }}
      width="form"
      card
    >
      <CreateUserForm />
    </PageLayout>
  );
}

/** Creates an account, then opens the user list. */
export function CreateUserForm() {
  const navigate = useNavigate();
  const [create] = useCreateUserMutation();
  const form = useAppForm(createUserFormRules, {
    defaultValues: newUserValues,
  }) as unknown as UseFormReturn<CreateUserValues>;
  const guard = useLeaveGuard(form.formState.isDirty);

  async function send(values: CreateUserValues) {
    const input = {
      ...toInput(userFields, values),
      staffRoles: toRoleCodes(values),
      position: values.position ?? "",
      fullAddress: formatFullAddress(values),
    };
    const { data } = await create({ variables: { input } });
    if (!data) return;
    guard.release();
    notify.success("The user has been successfully created.");
    await navigate(paths.manageUsers.href());
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to register the user." label="Create User">
      {guard.dialog}
      <BlockedWhileSaving>
        <UserFields
          form={form}
          isNew
          emailHint="We'll email the user a link to choose a password. It works for 7 days."
        />
      </BlockedWhileSaving>
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
