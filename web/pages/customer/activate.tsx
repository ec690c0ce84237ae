import { useSearchParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { SignInActivation } from "#web/licensing/device-authorizations/sign-in-activation.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where the add-in sends people who activate it by signing in; its link carries the code. */
export default function ActivatePage() {
  const [search] = useSearchParams();
  const code = search.get("code") ?? "";
  return (
    <PageLayout
      title="Activate a Device"
      lead="Enter the code that the add-in shows. Your licence code is not needed."
      back={{ to: paths.myAccount.href(), label: "My Account" }}
      width="form"
      card
    >
      <SignInActivation key={code} code={code.slice(0, 40)} />
    </PageLayout>
  );
}
