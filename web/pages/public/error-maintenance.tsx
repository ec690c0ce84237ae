import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/app/paths.ts";
import { safeReturnUrl } from "#web/app/return-url.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { LinkButton, Button } from "#web/ui/button.tsx";

/**
 * No answer came: the connection dropped, or the site is being maintained. Remembers where the person was, tries
 * again on demand and as soon as the browser is back online.
 */
export function MaintenancePage() {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const [stillAway, setStillAway] = useState(false);
  const [trying, setTrying] = useState(false);
  const from = safeReturnUrl((state as { from?: unknown } | null)?.from);

  const tryAgain = useCallback(async () => {
    setStillAway(false);
    setTrying(true);
    const answers = await serverAnswers();
    setTrying(false);
    if (!answers) return setStillAway(true);
    if (from) return navigate(from, { replace: true });
    // Standing in for another page whose file did not load: load it anew.
    if (pathname.startsWith(paths.maintenance.pattern)) return navigate(paths.home.href(), { replace: true });
    window.location.reload();
  }, [from, navigate, pathname]);

  useEffect(() => {
    const onOnline = () => void tryAgain();
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [tryAgain]);

  return (
    <ErrorPage
      scene="paused"
      title="We lost the connection"
      actions={
        <>
          <Button loading={trying} onClick={() => void tryAgain()}>
            Try Again
          </Button>
          <LinkButton variant="default" to={paths.home.href()}>
            Go to the home page
          </LinkButton>
        </>
      }
    >
      <p>Either your connection dropped, or we are carrying out maintenance. Nothing you saved is lost.</p>
      <p>{from ? "Try again, and we will take you back to where you were." : "Please try again in a few minutes."}</p>
      <output>{stillAway && "Still no answer. Check your network, or give us a few more minutes."}</output>
    </ErrorPage>
  );
}

const PATIENCE_MS = 8_000;

async function serverAnswers(): Promise<boolean> {
  try {
    const response = await fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.ok;
  } catch {
    return false;
  }
}
