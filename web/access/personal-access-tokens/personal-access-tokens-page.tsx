import { paths } from "#web/platform/paths.ts";
import { PersonalAccessTokens } from "./personal-access-tokens.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for personal access tokens, for customers and admins. */
export default function PersonalAccessTokensPage() {
  return (
    <PageLayout
      title={paths.personalAccessTokens.title}
      lead="Let your programs call the API with a token instead of your password. Scopes limit what a token can do."
      back={{ to: paths.developers.href(), label: "Developers" }}
    >
      <PersonalAccessTokens />
    </PageLayout>
  );
}
