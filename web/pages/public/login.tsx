import { LoginForm } from "#web/features/auth/login-form.tsx";
import { Pledge } from "#web/features/showcase/pledge.tsx";
import { SplitLayout } from "#web/ui/page-layout.tsx";

/** Sign-in. */
export default function LoginPage() {
  return (
    <SplitLayout title="Login" lead="Your username is the email address you registered with." aside={<Pledge />}>
      <LoginForm />
    </SplitLayout>
  );
}
