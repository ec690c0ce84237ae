import { RegisterForm } from "#web/access/accounts/register-form.tsx";
import { WayIn } from "#web/site/showcase/way-in.tsx";
import { SplitLayout } from "#web/ui/page-layout.tsx";

/** Registration. */
export default function RegisterPage() {
  return (
    <SplitLayout
      title="Register"
      lead="One account holds your trial, your licences and your devices."
      aside={<WayIn />}
    >
      <RegisterForm />
    </SplitLayout>
  );
}
