import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { brand } from "#schema/brand.ts";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { Button } from "#web/public-ui/button.tsx";
import { lazyDialog } from "#web/public-ui/lazy-part.tsx";
import { Mark } from "#web/pictures/logo.tsx";
import { type Caller, roleLabels, useCaller } from "./caller.ts";
import { ExampleMenu } from "./example-menu.tsx";
import { pastedToken } from "./explorer-state.ts";
import buttonClasses from "#web/public-ui/button.module.css";
import classes from "./explorer-bar.module.css";

const SignInDialog = lazyDialog(
  () => import("./sign-in-dialog.tsx").then((file) => file.SignInDialog),
  ({ opened }) => opened,
);

/** Header with the title, the examples menu and the current caller. */
export function ExplorerBar() {
  const caller = useCaller();
  return (
    <>
      <a href="/" aria-label={`${brand.name}, home`}>
        <Mark size={26} />
      </a>
      <h1 className={classes.title}>Schema explorer</h1>
      <ExampleMenu caller={caller} />
      <a
        href="/schema.graphql"
        download="schema.graphql"
        className={buttonClasses.button}
        data-variant="default"
        data-size="sm"
        aria-label="Download SDL"
        title="Schema definition (also at /schema.graphql)"
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
  const [isSignInOpen, setIsSignInOpen] = useState(false);
  const [isSigningOut, setIsSigningOut] = useState(false);

  async function signOutCaller() {
    if (caller.kind === "token") return pastedToken.set(null);
    setIsSigningOut(true);
    await signOut().finally(() => setIsSigningOut(false));
  }

  return (
    <div className={classes.caller}>
      <p role="status">
        {caller.kind === "visitor" ? (
          "Not signed in"
        ) : (
          <>
            <b>{caller.name}</b>
            {caller.role && <span>{roleLabels[caller.role]}</span>}
          </>
        )}
      </p>
      {caller.kind === "visitor" ? (
        <Button size="xs" onClick={() => setIsSignInOpen(true)}>
          Sign in
        </Button>
      ) : (
        <Button size="xs" variant="default" loading={isSigningOut} onClick={() => void signOutCaller()}>
          {caller.kind === "token" ? "Remove token" : "Sign out"}
        </Button>
      )}
      <SignInDialog opened={isSignInOpen} onClose={() => setIsSignInOpen(false)} />
    </div>
  );
}
