import { LoginForm } from "./login-form.tsx";
import { BrandPromise } from "./brand-promise.tsx";
import { paths } from "#web/platform/paths.ts";
import { SplitLayout } from "#web/ui/page-layout.tsx";

export default function LoginPage() {
  return (
    <SplitLayout
      title={paths.login.title}
      lead="Your username is the email address you registered with."
      aside={<BrandPromise />}
    >
      <LoginForm />
    </SplitLayout>
  );
}
