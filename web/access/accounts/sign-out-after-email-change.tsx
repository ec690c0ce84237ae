import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { notify } from "#web/platform/notifications.ts";

/** Navigation state passed from the profile page to the confirmation page after the email address was changed. */
export const emailChangeState = { profileSaved: true } as const;

/**
 * Signs the user out after they changed their address in the profile, and confirms that the profile was saved. Then
 * removes the state from the history, so that a later visit doesn't sign anyone out.
 */
export function SignOutAfterEmailChange({ children }: { children: ReactNode }) {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const hasStarted = useRef(false);
  const isChange = (state as Partial<typeof emailChangeState> | null)?.profileSaved === true;

  useEffect(() => {
    if (!isChange || hasStarted.current) return;
    hasStarted.current = true;
    void signOut().then(() => {
      notify.success("Your profile has been successfully updated.");
      void navigate(pathname, { replace: true, state: null });
    });
  }, [isChange, navigate, pathname]);

  return isChange ? <LoadingBlock label="Signing you out" /> : children;
}
