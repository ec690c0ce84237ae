import { IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { MOST_TOKENS } from "#schema/scopes.ts";
import { paths } from "#web/platform/paths.ts";
import { type Role, useSession } from "#web/platform/session.ts";
import { usePersonalAccessTokensQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import classes from "./personal-access-tokens.module.css";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";
import { isOver, type ShownToken, TokenList } from "./token-list.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";

const CreateTokenDialog = lazyDialog(
  () => import("./create-token-dialog.tsx").then((file) => file.CreateTokenDialog),
  ({ opened }) => opened,
);

const NewTokenDialog = lazyDialog(
  () => import("./new-token-dialog.tsx").then((file) => file.NewTokenDialog),
  ({ made }) => made !== null,
);

/** The person's tokens: made here, shown once, revoked here. */
export function PersonalAccessTokens() {
  const session = useSession();
  const { data, error, refetch } = usePersonalAccessTokensQuery({ fetchPolicy: "cache-and-network" });
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const [unwanted, setUnwanted] = useState<ShownToken | null>(null);
  const tally = useRef<HTMLParagraphElement>(null);

  if (error && !data)
    return <ErrorState message={messageOf(error, "Unable to fetch your tokens.")} onRetry={() => void refetch()} />;
  if (!data || !session) return <LoadingBlock label="Loading your tokens" />;
  const tokens = data.personalAccessTokens;
  const live = tokens.filter(({ expiresAt }) => !isOver(expiresAt)).length;

  const makeButton = (
    <Button
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />}
      disabled={live >= MOST_TOKENS}
      onClick={() => setIsMaking(true)}
    >
      Make A Token
    </Button>
  );

  async function reload() {
    await refetch().catch(() => undefined);
    // The button that was pressed goes with its row, so the focus needs another place.
    tally.current?.focus();
  }

  return (
    <>
      <div className={classes.shown}>
        {tokens.length === 0 ? (
          <EmptyState message="No Personal Access Tokens.">{makeButton}</EmptyState>
        ) : (
          <>
            <div className={classes.top}>
              <p ref={tally} className={classes.tally} tabIndex={-1}>
                {live >= MOST_TOKENS
                  ? `You have ${MOST_TOKENS} tokens, which is as many as there can be. Revoke one to make another.`
                  : `${live} of ${MOST_TOKENS} tokens in use.`}
              </p>
              {makeButton}
            </div>
            <TokenList tokens={tokens} role={session.claims.role} onRevoke={setUnwanted} />
          </>
        )}
        <TokenExample userId={session.claims.id} role={session.claims.role} />
      </div>
      <p className={classes.advice}>
        Tokens go on working when you change your password or end your other sessions; only revoking stops one before
        its time. Is there one you don't know? Revoke it, and{" "}
        <Link to={paths.changePassword.href()}>change your password</Link>.
      </p>
      <CreateTokenDialog
        opened={isMaking}
        role={session.claims.role}
        onClose={() => setIsMaking(false)}
        onMade={(one) => {
          setIsMaking(false);
          setMade(one);
          void refetch().catch(() => undefined);
        }}
      />
      <NewTokenDialog made={made} onClose={() => setMade(null)} />
      <RevokeTokenDialog token={unwanted} onClose={() => setUnwanted(null)} onSettled={() => void reload()} />
    </>
  );
}

/** One call that can be tried at once, with the scope that it takes. */
function TokenExample({ userId, role }: { userId: string; role: Role }) {
  const isAdmin = role === "admin";
  const address = `${location.origin}/v1/${isAdmin ? "promoCode" : `licence/${userId}`}`;
  const command = `curl ${address} \\\n  -H "Authorization: Bearer xpat_…"`;
  return (
    <section className={classes.example} aria-labelledby="token-example">
      <div className={classes.exampleHead}>
        <h2 id="token-example">Try It</h2>
        <CopyButton text={command} size="sm" said="The command has been copied to clipboard." />
      </div>
      <p>
        {isAdmin ? "Lists the promo codes" : "Lists your licences"}. The token needs the scope{" "}
        <code>{isAdmin ? "promo-codes:read" : "licences:read"}</code>.
      </p>
      <pre role="group" aria-label="Command">
        {command}
      </pre>
    </section>
  );
}
