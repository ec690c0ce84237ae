import { Button, Card, Code, Group, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRef } from "react";
import { Link } from "react-router-dom";
import { MAX_TOKENS, TOKEN_PREFIX } from "#schema/personal-access-token.ts";
import { paths } from "#web/platform/paths.ts";
import { type Role, useSession } from "#web/platform/session.ts";
import { usePersonalAccessTokensQuery } from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { isExpired, TokenList, useRevokeToken } from "./token-list.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";

/** The signed-in user's tokens, with the dialogs that create and revoke them. */
export function PersonalAccessTokens() {
  const session = useSession();
  const query = usePersonalAccessTokensQuery();
  const { data, refetch } = query;
  const openDialog = useOpenDialog();
  const summary = useRef<HTMLParagraphElement>(null);
  const revokeToken = useRevokeToken(refetch, summary);

  if (!data || !session)
    return <Loaded query={query} failure="Unable to fetch your tokens." loading="Loading your tokens" />;
  const tokens = data.personalAccessTokens;
  const { role, id: userId } = session.claims;
  const live = tokens.filter(({ expiresAt }) => !isExpired(expiresAt)).length;

  const createButton = (
    <Button
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />}
      disabled={live >= MAX_TOKENS}
      onClick={createToken}
    >
      Create token
    </Button>
  );

  function createToken() {
    openDialog(() => import("./create-token-dialog.tsx"), {
      role,
      onCreated: (token) => {
        // The dialog is a part of this file's code, because a secret that isn't shown is lost.
        openDialog(async () => ({ default: NewTokenDialog }), token);
        void refetch().catch(() => undefined);
      },
    });
  }

  return (
    <>
      {/* Takes the focus when the last token is revoked. */}
      <Stack gap="lg" tabIndex={-1} role="group" aria-label="Tokens">
        {tokens.length === 0 ? (
          <EmptyState message="No personal access tokens.">{createButton}</EmptyState>
        ) : (
          <>
            <Group justify="space-between">
              <Text ref={summary} c="dimmed" tabIndex={-1}>
                {live >= MAX_TOKENS
                  ? `You have reached the limit of ${MAX_TOKENS} tokens. Revoke one to create another.`
                  : `${live} of ${MAX_TOKENS} tokens in use.`}
              </Text>
              {createButton}
            </Group>
            <TokenList tokens={tokens} role={role} onRevoke={revokeToken} />
          </>
        )}
        <TokenExample userId={userId} role={role} />
      </Stack>
      <Text size="sm" c="dimmed" maw="46rem" mt="lg">
        Tokens keep working when you change your password. To stop one before it expires, revoke it. Ending all other
        sessions revokes every token. If you don't recognise a token, revoke it and{" "}
        <Link to={paths.changePassword.href()}>change your password</Link>.
      </Text>
    </>
  );
}

function NewTokenDialog({ name, secret, ...control }: DialogControl & { name: string; secret: string }) {
  return (
    <SecretOnceDialog
      {...control}
      title="Your new token"
      secret={secret}
      label="Token"
      successMessage="The token has been copied to clipboard."
      before={
        <>
          <p>Use this token only in “{name}”. Anyone who has it can use your account within the token's scopes.</p>
          <p>
            <b>Copy the token now. You won't see it again.</b> We don't store it. We have emailed you to confirm that it
            was created.
          </p>
        </>
      }
    />
  );
}

/** Example call with the scope it needs. */
function TokenExample({ userId, role }: { userId: string; role: Role }) {
  const isAdmin = role === "admin";
  const address = `${location.origin}/v1/${isAdmin ? "promoCode" : `licence/${userId}`}`;
  const command = `curl ${address} \\\n  -H "Authorization: Bearer ${TOKEN_PREFIX}…"`;
  return (
    <Card component="section" padding="lg" shadow="sm" aria-labelledby="token-example">
      <Group justify="space-between">
        <Title order={2} id="token-example" fz="1.0625rem">
          Try it
        </Title>
        <CopyButton text={command} size="sm" successMessage="The command has been copied to clipboard." />
      </Group>
      <Text c="dimmed">
        This command lists {isAdmin ? "all promo codes" : "your licences"}. The token needs the scope{" "}
        <Code>{isAdmin ? "promo-codes:read" : "licences:read"}</Code>.
      </Text>
      <Code
        block
        role="group"
        aria-label="Command"
        mt="sm"
        fz="sm"
        style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
      >
        {command}
      </Code>
    </Card>
  );
}

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
