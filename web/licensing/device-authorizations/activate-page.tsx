import { useSearchParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { SignInActivation } from "./sign-in-activation.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page that the add-in opens to activate a device by signing in. The link contains the code. */
export default function ActivatePage() {
  const [search] = useSearchParams();
  const code = search.get("code") ?? "";
  return (
    <PageLayout
      title={paths.activate.title}
      lead="Enter the code shown in the add-in. You don't need your licence code."
      back={{ to: paths.licences.href(), label: "Licences" }}
      width="form"
      card
    >
      <SignInActivation key={code} code={code.slice(0, 40)} />
    </PageLayout>
  );
}
