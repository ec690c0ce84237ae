import { paths } from "#web/platform/paths.ts";
import { Profile } from "#web/access/accounts/profile-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page on which customers edit their profile. */
export default function UpdateProfilePage() {
  return (
    <PageLayout
      title="Update Profile"
      lead="Keep your details true, accurate and current."
      back={{ to: paths.myAccount.href(), label: "My Account" }}
      width="form"
      card
    >
      <Profile />
    </PageLayout>
  );
}
