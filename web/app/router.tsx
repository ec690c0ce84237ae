import { type ComponentType, createElement, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { matchPath, Outlet, Route, Routes, useLocation, useNavigate, useNavigationType } from "react-router-dom";
import { BrokenPage } from "#web/ui/error-page.tsx";
import { MaintenancePage } from "#web/ui/errors/error-maintenance.tsx";
import { markReady, repeatEarlyClicks, restoreEarlyTyping } from "#web/platform/early-input.ts";
import { retryingLazy } from "#web/platform/load-part.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { lazyPage } from "#web/platform/lazy-page.ts";
import { installNavigator } from "#web/platform/navigator.ts";
import { paths, schemaExplorer } from "#web/platform/paths.ts";
import type { RouteEntry } from "#web/platform/route-entry.ts";
import { contentRoute, routes } from "./routes.ts";
import { useHasViewEnded, useSession } from "#web/platform/session.ts";
import { OfflineBanner } from "#web/ui/offline-banner.tsx";
import { Footer } from "./footer.tsx";
import { ViewBanner } from "./view-banner.tsx";
import { Header } from "./header.tsx";
import classes from "./shell.module.css";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const VisitAnalytics = lazyPart(() => import("./visit-analytics.tsx"), "nothing", null);

/** Loads analytics if the server puts a tag id into the page's head (decision 0046). */
export function Analytics() {
  const [tagId, setTagId] = useState<string | null>(null);
  // Read after the first paint, which is the same with and without a tag.
  useEffect(() => {
    setTagId(document.querySelector('meta[name="analytics-tag"]')?.getAttribute("content") ?? null);
  }, []);
  if (!tagId) return null;
  return <VisitAnalytics tagId={tagId} />;
}

const dataLayer = retryingLazy(() => import("#web/platform/data-layer.tsx"));
const portalShell = retryingLazy(() => import("./portal/portal-shell.tsx"));
const viewOverPage = lazyPage(() => import("#web/access/sessions/view-over-page.tsx"));

/** Loads the shell and the page at an address before the portal's first render. Pages that can't be loaded show it then. */
export async function loadPortalPage(pathname: string): Promise<void> {
  const page = findPage(pathname);
  await Promise.allSettled([portalShell.loadNow(), dataLayer.loadNow(), page?.loadNow()]);
}

const findPage = (pathname: string) => routes.find(({ path }) => matchPath(path.pattern, pathname))?.page;

/** All pages, each in the frame of public pages or of the portal. Matching ignores case and the trailing slash. */
export function AppRoutes() {
  useOwnAddress();
  return (
    <Routes>
      <Route element={<Frame key="site" shell={SiteShell} />}>
        {toRoutes(routes.filter(({ access }) => access.kind !== "private"))}
        <Route path={paths.maintenance.pattern} element={<MaintenancePage />} />
        <Route path={paths.error500.pattern} element={<BrokenPage />} />
        <Route path={schemaExplorer} element={<OtherBuild />} />
        <Route path="*" element={<Opened entry={contentRoute} />} />
      </Route>
      <Route element={<Frame key="portal" shell={PortalFrame} />}>
        {toRoutes(routes.filter(({ access }) => access.kind === "private"))}
      </Route>
    </Routes>
  );
}

/** Loads the page at the current address from the server, because another build serves it. */
function OtherBuild() {
  useEffect(() => window.location.reload(), []);
  return <LoadingBlock label="Loading" />;
}

const toRoutes = (entries: readonly RouteEntry[]) =>
  entries.map((entry) => (
    <Route key={entry.path.pattern} path={entry.path.pattern} element={<Opened entry={entry} />} />
  ));

function Frame({ shell: Shell }: { shell: ComponentType<{ children: ReactNode }> }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const viewIsOver = useHasViewEnded();
  useEffect(() => installNavigator((to, options) => void navigate(to, options)), [navigate]);
  useStartAtTop(pathname);
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {/* The shell may be missing or broken, too. */}
      <ErrorBoundary isOutsideShell>
        <Shell>
          <ErrorBoundary key={pathname}>
            <Suspense fallback={<LoadingBlock label="Loading the page" tall />}>
              {viewIsOver ? <viewOverPage.Page /> : <Outlet />}
            </Suspense>
          </ErrorBoundary>
        </Shell>
      </ErrorBoundary>
      <Analytics />
      <OfflineBanner />
    </>
  );
}

/**
 * Removes the canonical address of the page that the server sent when another page opens, because browsers share that
 * address instead of the current one.
 */
function useOwnAddress(): void {
  const { pathname } = useLocation();
  const served = useRef(pathname);
  useEffect(() => {
    if (pathname !== served.current) document.querySelector('link[rel="canonical"]')?.remove();
  }, [pathname]);
}

/** Scrolls to the top of a new page. When going back, the browser restores the position. */
function useStartAtTop(pathname: string): void {
  const goingBack = useNavigationType() === "POP";
  useEffect(() => {
    if (!goingBack) document.documentElement.scrollTo?.({ top: 0, behavior: "instant" });
  }, [goingBack, pathname]);
}

/** Shows a page behind its guard. Page and data layer load in parallel. */
function Opened({ entry }: { entry: RouteEntry }) {
  const { Page } = entry.page;
  const isLogin = entry.path.pattern === paths.login.pattern;
  useEffect(() => {
    if (!isLogin) return;
    // While a visitor types, loads the page that opens after signing in.
    const warm = () => void loadPortalPage(paths.myAccount.pattern);
    document.addEventListener("input", warm, { once: true });
    return () => document.removeEventListener("input", warm);
  }, [isLogin]);
  return (
    <Guard access={entry.access}>
      <Loaded entry={entry}>
        <Page />
        <ReadyPage />
      </Loaded>
    </Guard>
  );
}

/** Rendered after the page and committed together with it. Repeats clicks and input from before hydration. */
function ReadyPage() {
  useEffect(() => {
    // In the same effect, because a link clicked in between would lead where it did before an early click on a button.
    markReady("page");
    const page = document.getElementById("main");
    restoreEarlyTyping(page);
    repeatEarlyClicks(page);
  }, []);
  return null;
}

function Loaded({ entry, children }: { entry: RouteEntry; children: ReactNode }) {
  // Other pages load without Apollo Client.
  if (entry.access.kind !== "private") return children;
  entry.page.preload();
  return createElement(dataLayer(), null, children);
}

function SiteShell({ children }: { children: ReactNode }) {
  const isView = useSession()?.isView;
  return (
    <div style={{ display: "flex", flexDirection: "column", minHeight: "100dvh" }} data-viewing={isView}>
      <ViewBanner />
      <Header />
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}

/** Frame of pages for signed-in users. Loads the portal's shell and the page in parallel. */
function PortalFrame({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname } = useLocation();
  // The guard inside redirects to Login, unless a view has ended.
  if (!session) return <SiteShell>{children}</SiteShell>;
  findPage(pathname)?.preload();
  return (
    <Suspense fallback={<LoadingBlock label="Loading the page" tall />}>
      {createElement(portalShell(), null, children)}
    </Suspense>
  );
}
