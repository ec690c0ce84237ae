import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { ChangePasswordValues } from "#schema/account.ts";
import { getHome } from "#web/platform/landing.ts";
import { paths } from "#web/platform/paths.ts";
import { useChangePasswordMutation } from "#web/generated/graphql.ts";
import { DoneState } from "#web/ui/message-state.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { useSession } from "#web/platform/session.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for changing the password, for customers and admins. */
export default function ChangePasswordPage() {
  const page = getHome(useSession()?.claims.role);
  const home = { to: page.href(), label: page.title };
  return (
    <PageLayout title={paths.changePassword.title} back={home} width="narrow" card>
      <ChangePasswordForm home={home} />
    </PageLayout>
  );
}

const loadRules = () => import("#schema/account.ts").then((file) => file.changePasswordRules);

/** Form that changes the password of the signed-in user. `home` is the page to return to. */
function ChangePasswordForm({ home }: { home: { to: string; label: string } }) {
  const [isChanged, setIsChanged] = useState(false);
  const [changePassword] = useChangePasswordMutation();
  const form = useAppForm(loadRules, { defaultValues: { existingPassword: "", password: "", confirmPassword: "" } });

  async function send(input: ChangePasswordValues) {
    await changePassword({ variables: { input } });
    notify.success("You have successfully changed your password.");
    form.reset();
    setIsChanged(true);
  }

  if (isChanged)
    return (
      <DoneState message="You have changed your password successfully.">
        <p>
          You stay signed in here. On other devices, sign in again with your new password. Your{" "}
          <Link to={paths.personalAccessTokens.href()}>personal access tokens</Link> keep working until you revoke them.
        </p>
        <Button component={Link} to={home.to}>{`Back to ${home.label}`}</Button>
      </DoneState>
    );
  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to change your password." label="Change Password">
      <PasswordField
        control={form.control}
        name="existingPassword"
        label="Existing Password"
        autoComplete="current-password"
      />
      <NewPasswordFields control={form.control} PasswordField={PasswordField} />
      <Text size="sm" c="dimmed">
        You stay signed in here and will be signed out everywhere else.
      </Text>
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
