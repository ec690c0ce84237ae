import { RegisterForm } from "./register-form.tsx";
import { RegistrationSteps } from "./registration-steps.tsx";
import { paths } from "#web/platform/paths.ts";
import { SplitLayout } from "#web/ui/page-layout.tsx";

export default function RegisterPage() {
  return (
    <SplitLayout
      title={paths.register.title}
      lead="Manage your trial, licences and devices in one account."
      aside={<RegistrationSteps />}
    >
      <RegisterForm />
    </SplitLayout>
  );
}
