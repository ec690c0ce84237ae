import { useEffect, useEffectEvent, useRef, useState } from "react";
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
  const isShown = useRef(true);
  const state: unknown = useLocation().state;
  const from = readCameFrom(state);
  // Reloads that URL from the server, because browsers cache failed imports.
  const mustReload = (state as { mustReload?: unknown } | null)?.mustReload === true;

  /** Goes back if the server responds, unless the user has left this page meanwhile. Returns whether it responds. */
  async function goBackIfReachable(): Promise<boolean> {
    const isReachable = await isServerReachable();
    if (!isReachable || !isShown.current) return isReachable;
    recordReturn();
    if (from && mustReload) window.location.replace(from);
    else void navigate(from ?? paths.home.href(), { replace: true });
    return true;
  }

  async function tryAgain() {
    setIsUnreachable(false);
    setIsTrying(true);
    setIsUnreachable(!(await goBackIfReachable()));
    setIsTrying(false);
  }

  const tryOnline = useEffectEvent(tryAgain);
  useEffect(() => {
    isShown.current = true;
    const onOnline = () => void tryOnline();
    window.addEventListener("online", onOnline);
    return () => {
      isShown.current = false;
      window.removeEventListener("online", onOnline);
    };
  }, []);

  const check = useEffectEvent(async () => {
    if (isOffline() || !(await goBackIfReachable())) setChecks(checks + 1);
  });
  useEffect(() => {
    if (!from) return undefined;
    const timer = setTimeout(() => void check(), getReturnDelay(checks));
    return () => clearTimeout(timer);
  }, [checks, from]);

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

/** Storage key for the time of this tab's last return from the maintenance page and the number of consecutive returns. */
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
