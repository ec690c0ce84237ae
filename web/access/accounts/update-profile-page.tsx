import { paths } from "#web/platform/paths.ts";
import { Profile } from "./profile-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for the user's own details. */
export default function UpdateProfilePage() {
  return (
    <PageLayout
      title={paths.updateProfile.title}
      lead="Keep your details true, accurate and current."
      back={{ to: paths.myAccount.href(), label: "My Account" }}
      width="form"
      card
    >
      <Profile />
    </PageLayout>
  );
}
