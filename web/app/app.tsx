import { type ReactNode, useEffect } from "react";
import { markReady, repeatEarlyClicks } from "#web/platform/early-input.ts";
import { deleteDraftsOnSignOutElsewhere } from "#web/platform/delete-drafts.ts";
import { NotificationHost } from "#web/ui/notification-host.tsx";
import { InTest } from "#web/platform/in-test.ts";
import { AppRoutes } from "./router.tsx";

/**
 * Hides the keys that an input method handles from the page's own handlers: the Enter that commits a Japanese word must not
 * choose a search result, and the Escape that discards it must not close a dialog. Safari reports such keys only by their
 * code. Returns a function that stops it.
 */
function ignoreKeysOfInputMethods(): () => void {
  const hide = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", hide, { capture: true });
  return () => window.removeEventListener("keydown", hide, { capture: true });
}

/** The whole portal, inside a router of the caller's choice. `env="test"` turns transitions and portals off. */
export function App({ env = "default" }: { env?: "default" | "test" }) {
  useEffect(deleteDraftsOnSignOutElsewhere, []);
  useEffect(() => {
    document.documentElement.removeAttribute("data-signed-in");
    document.documentElement.setAttribute("data-taken-over", "");
  }, []);
  useEffect(() => {
    markReady("shell");
    for (const part of document.querySelectorAll("#root header, #root footer"))
      if (!part.closest("main")) repeatEarlyClicks(part);
  }, []);
  return (
    <Appearance env={env}>
      <AppRoutes />
    </Appearance>
  );
}

/** Wraps content in the context for dialogs and adds the notifications. Tests render single components in it. */
export function Appearance({ env = "default", children }: { env?: "default" | "test"; children: ReactNode }) {
  useEffect(ignoreKeysOfInputMethods, []);
  return (
    <InTest value={env === "test"}>
      {children}
      <NotificationHost />
    </InTest>
  );
}
