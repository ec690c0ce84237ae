import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { readCameFrom } from "#web/platform/return-url.ts";
import { isOffline, isServerReachable } from "#web/platform/connection.ts";
import { ErrorPage, HomeLink } from "#web/ui/error-page.tsx";
import { Button } from "#web/ui/button.tsx";
import { tabStorage } from "#web/platform/storage.ts";

/**
 * Page shown when the server can't be reached. Returns to the previous page once the server responds again. It checks
 * periodically, when the browser is back online, and when the user chooses Try again.
 */
export function MaintenancePage() {
  const navigate = useNavigate();
  const [isUnreachable, setIsUnreachable] = useState(false);
  const [isTrying, setIsTrying] = useState(false);
  const [checks, setChecks] = useState(0);
  const state: unknown = useLocation().state;
  const from = readCameFrom(state);
  // Reloads that URL from the server, because browsers cache failed imports.
  const mustReload = (state as { mustReload?: unknown } | null)?.mustReload === true;

  const goBack = useCallback(() => {
    if (from && mustReload) return window.location.replace(from);
    return navigate(from ?? paths.home.href(), { replace: true });
  }, [from, mustReload, navigate]);

  const tryAgain = useCallback(async () => {
    setIsUnreachable(false);
    setIsTrying(true);
    const isReachable = await isServerReachable();
    setIsTrying(false);
    if (isReachable) return goBack();
    return setIsUnreachable(true);
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
      const isReachable = !isOffline() && (await isServerReachable());
      if (!isCurrent) return;
      if (!isReachable) return setChecks((before) => before + 1);
      recordReturn();
      return goBack();
    };
    const timer = setTimeout(() => void check(), getReturnDelay(checks));
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [checks, from, goBack]);

  return (
    <ErrorPage
      scene="paused"
      title={paths.maintenance.title}
      actions={
        <>
          <Button loading={isTrying} onClick={() => void tryAgain()}>
            Try again
          </Button>
          <HomeLink variant="default" />
        </>
      }
    >
      <p>Your connection may have dropped, or the site may be under maintenance. Everything you saved is safe.</p>
      <p>
        {from
          ? "We'll take you back automatically as soon as the connection works again."
          : "Please try again in a few minutes."}
      </p>
      <output>
        {isUnreachable && "We still can't connect. Check your network, or wait a few minutes and try again."}
      </output>
    </ErrorPage>
  );
}

/** Storage key for the time of this tab's last automatic return from the maintenance page and the number of consecutive returns. */
const RETURNS_KEY = "xer-portal.returns";

const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;
/** Longest time between two returns that count as consecutive, in milliseconds. */
const IN_A_ROW_MS = 3 * LONGEST_DELAY_MS;

/**
 * Returns how long the maintenance page waits before it checks the server again, in milliseconds. The delay doubles
 * with each check and with each return that ends on the maintenance page again, so a page that keeps failing is
 * requested less often.
 */
function getReturnDelay(checks: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (checks + countReturnsInARow()));
}

/** Records that the maintenance page returns to the previous page. */
function recordReturn(): void {
  tabStorage.set(RETURNS_KEY, JSON.stringify({ count: countReturnsInARow() + 1, at: Date.now() }));
}

function countReturnsInARow(): number {
  try {
    const { count, at } = JSON.parse(tabStorage.get(RETURNS_KEY) ?? "{}") as { count?: number; at?: number };
    return count !== undefined && at !== undefined && Date.now() - at < IN_A_ROW_MS ? count : 0;
  } catch {
    return 0;
  }
}
