import classes from "#web/access/accounts/accounts.module.css";
import { intentTitles, useSignUpIntent } from "#web/access/accounts/sign-up-intent.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { LoginForm } from "./login-form.tsx";
import { BrandPromise } from "./brand-promise.tsx";
import { paths } from "#web/platform/paths.ts";
import { SplitLayout } from "#web/ui/page-layout.tsx";

export default function LoginPage() {
  const intent = useSignUpIntent();
  return (
    <SplitLayout
      title={paths.login.title}
      lead="Your username is the email address you registered with."
      aside={<BrandPromise />}
    >
      {intent && (
        <section className={classes.panel} aria-labelledby="intent">
          <h2 id="intent">{intentTitles[intent]}</h2>
          <LinkButton to={paths.register.href()}>Register Now</LinkButton>
          <p>If you have an account, log in.</p>
        </section>
      )}
      <LoginForm offersAccount={!intent} />
    </SplitLayout>
  );
}
