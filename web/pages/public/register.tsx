import { RegisterForm } from "#web/access/accounts/register-form.tsx";
import { WayIn } from "#web/site/showcase/way-in.tsx";
import { SplitLayout } from "#web/ui/page-layout.tsx";

export default function RegisterPage() {
  return (
    <SplitLayout title="Register" lead="Create one account for your trial, licences and devices." aside={<WayIn />}>
      <RegisterForm />
    </SplitLayout>
  );
}
