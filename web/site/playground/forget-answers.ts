import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useEffect, useRef } from "react";
import { useSession } from "#web/platform/session.ts";
import { askerOf, lastRun, pastedToken } from "./explorer-state.ts";

/**
 * Takes what was answered to one person out of every tab once somebody else asks or nobody: who signs out, forgets a token,
 * or signs out in another window does not leave their licences on the screen.
 */
export function useForgottenAnswers(): void {
  const pasted = pastedToken.use();
  const session = useSession();
  const who = askerOf(pasted, session);
  const before = useRef(who);
  const tabs = useGraphiQL((state) => state.tabs);
  const shown = useGraphiQL((state) => state.responseEditor);
  const actions = useGraphiQLActions();
  useEffect(() => {
    const last = before.current;
    before.current = who;
    // What a visitor was answered is anybody's.
    if (last === null || last === who) return;
    // There is no action for the tabs that are not in view.
    for (const tab of tabs) Object.assign(tab, { response: null });
    shown?.setValue("");
    actions.updateActiveTabValues({ response: null });
    lastRun.set(null);
  }, [who, tabs, shown, actions]);
}
