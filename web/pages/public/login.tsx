import { LoginForm } from "#web/access/sessions/login-form.tsx";
import { BrandPromise } from "#web/site/showcase/brand-promise.tsx";
import { SplitLayout } from "#web/public-ui/page-layout.tsx";

export default function LoginPage() {
  return (
    <SplitLayout title="Login" lead="Your username is the email address you registered with." aside={<BrandPromise />}>
      <LoginForm />
    </SplitLayout>
  );
}
