import { RegisterForm } from "./register-form.tsx";
import { intentTitles, useSignUpIntent } from "./sign-up-intent.ts";
import { RegistrationSteps } from "./registration-steps.tsx";
import { paths } from "#web/platform/paths.ts";
import { SplitLayout } from "#web/ui/page-layout.tsx";

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
