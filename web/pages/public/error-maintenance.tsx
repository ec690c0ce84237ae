import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { noteReturn, returnDelay } from "#web/platform/return-delay.ts";
import { safeReturnUrl } from "#web/platform/return-url.ts";
import { isOffline, serverAnswers } from "#web/platform/connection.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { LinkButton, Button } from "#web/ui/button.tsx";

/** What the maintenance page is told by whoever leads to it. */
interface MaintenanceState {
  /** The place to return to. */
  from?: unknown;
  /** True if the page there has to be loaded from the server again, because the browser remembers a failed import. */
  mustReload?: unknown;
}

/**
 * No answer came: the connection dropped, or the site is under maintenance. Remembers where the user was and returns there
 * when the server answers again: on demand, when the browser is back online, and by checking now and then.
 */
export function MaintenancePage() {
  const navigate = useNavigate();
  const [stillAway, setStillAway] = useState(false);
  const [trying, setTrying] = useState(false);
  const [checks, setChecks] = useState(0);
  const state = (useLocation().state ?? {}) as MaintenanceState;
  const from = safeReturnUrl(state.from);
  const mustReload = state.mustReload === true;

  const goBack = useCallback(() => {
    if (from && mustReload) return window.location.replace(from);
    return navigate(from ?? paths.home.href(), { replace: true });
  }, [from, mustReload, navigate]);

  const tryAgain = useCallback(async () => {
    setStillAway(false);
    setTrying(true);
    const answers = await serverAnswers();
    setTrying(false);
    if (answers) return goBack();
    return setStillAway(true);
  }, [goBack]);

  useEffect(() => {
    const onOnline = () => void tryAgain();
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [tryAgain]);

  useEffect(() => {
    if (!from) return undefined;
    let isCurrent = true;
    const check = async () => {
      const answers = !isOffline() && (await serverAnswers());
      if (!isCurrent) return;
      if (!answers) return setChecks((before) => before + 1);
      noteReturn();
      return goBack();
    };
    const timer = setTimeout(() => void check(), returnDelay(checks));
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [checks, from, goBack]);

  return (
    <ErrorPage
      scene="paused"
      title="We lost the connection"
      actions={
        <>
          <Button loading={trying} onClick={() => void tryAgain()}>
            Try again
          </Button>
          <LinkButton variant="default" to={paths.home.href()}>
            Go to the home page
          </LinkButton>
        </>
      }
    >
      <p>Either your connection dropped, or we are carrying out maintenance. Nothing you saved is lost.</p>
      <p>
        {from ? "We will take you back to where you were as soon as we can." : "Please try again in a few minutes."}
      </p>
      <output>{stillAway && "Still no answer. Check your network, or give us a few more minutes."}</output>
    </ErrorPage>
  );
}
