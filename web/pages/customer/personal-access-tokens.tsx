import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { PersonalAccessTokens } from "#web/access/personal-access-tokens/personal-access-tokens.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** The tokens by which the person's programs ask; for customers and admins alike. */
export default function PersonalAccessTokensPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  return (
    <PageLayout
      title="Personal Access Tokens"
      lead="A program of yours sends a token instead of your password, and may do what the token's scopes say."
      back={isAdmin ? { to: paths.admin.href(), label: "Admin" } : { to: paths.myAccount.href(), label: "My Account" }}
    >
      <PersonalAccessTokens />
    </PageLayout>
  );
}
