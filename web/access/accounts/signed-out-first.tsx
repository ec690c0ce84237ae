import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { notify } from "#web/platform/notifications.ts";

/** State of the navigation that leads from a profile with a new address to its confirmation page. */
export const afterEmailChange = { profileSaved: true } as const;

/**
 * Who comes here from changing their address is signed out first and told that the profile was saved.
 * The state is then taken off the history, so that coming back here later signs nobody out.
 */
export function SignedOutFirst({ children }: { children: ReactNode }) {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const begun = useRef(false);
  const isChange = (state as Partial<typeof afterEmailChange> | null)?.profileSaved === true;

  useEffect(() => {
    if (!isChange || begun.current) return;
    begun.current = true;
    void signOut().then(() => {
      notify.success("Your profile has been successfully updated.");
      void navigate(pathname, { replace: true, state: null });
    });
  }, [isChange, navigate, pathname]);

  return isChange ? <LoadingBlock label="Signing you out" /> : children;
}
