import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { brand } from "#schema/brand.ts";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";
import { Mark } from "#web/ui/logo.tsx";
import { type Caller, roleWords, useCaller } from "./caller.ts";
import { ExampleMenu } from "./example-menu.tsx";
import { pastedToken } from "./explorer-state.ts";
import classes from "./explorer-bar.module.css";

const SignInDialog = lazyDialog(
  () => import("./sign-in-dialog.tsx").then((file) => file.SignInDialog),
  ({ opened }) => opened,
);

/** The page's head: its name, the examples, and in whose name it asks. */
export function ExplorerBar() {
  const caller = useCaller();
  return (
    <>
      <a href="/" className={classes.home} aria-label={`${brand.name}, home`}>
        <Mark size={26} />
      </a>
      <h1 className={classes.title}>Schema Explorer</h1>
      <ExampleMenu caller={caller} />
      <a
        href="/schema.graphql"
        download="schema.graphql"
        className={classes.download}
        aria-label="Download SDL"
        title="The schema definition, also at /schema.graphql"
      >
        <IconDownload size={16} stroke={2} aria-hidden="true" />
        <span>
          <span className={classes.wide}>Download </span>SDL
        </span>
      </a>
      <SignedIn caller={caller} />
    </>
  );
}

function SignedIn({ caller }: { caller: Caller }) {
  const [asks, setAsks] = useState(false);
  const [leaving, setLeaving] = useState(false);

  async function leave() {
    if (caller.kind === "token") return pastedToken.set(null);
    setLeaving(true);
    await signOut().finally(() => setLeaving(false));
  }

  return (
    <div className={classes.caller}>
      <p className={classes.who} role="status">
        {caller.kind === "visitor" ? (
          "You ask as a visitor"
        ) : (
          <>
            <b>{caller.name}</b>
            {caller.role && <span>{roleWords[caller.role]}</span>}
          </>
        )}
      </p>
      {caller.kind === "visitor" ? (
        <Button size="xs" onClick={() => setAsks(true)}>
          Sign In
        </Button>
      ) : (
        <Button size="xs" variant="default" loading={leaving} onClick={() => void leave()}>
          {caller.kind === "token" ? "Forget Token" : "Sign Out"}
        </Button>
      )}
      <SignInDialog opened={asks} onClose={() => setAsks(false)} />
    </div>
  );
}
