import type { Role } from "#web/platform/session.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import classes from "./personal-access-tokens.module.css";

/** One call that can be tried at once, with the scope that it takes. */
export function TokenExample({ userId, role }: { userId: string; role: Role }) {
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
