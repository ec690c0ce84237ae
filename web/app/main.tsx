import "./styles.ts";
import "#web/platform/back-and-forward.ts";
import { startTransition, StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./app.tsx";
import { loadPortalPage } from "./router.tsx";
import { replaceFrame } from "#web/platform/early-input.ts";
import { keepPrerenderedPage } from "./error-boundary.tsx";
import { tolerateTranslatedText } from "#web/platform/translated-text.ts";
import { showUncaughtErrors } from "#web/platform/uncaught-errors.ts";

// Remove the service worker that an earlier portal at this address installed.
// Browsers that block site data refuse the list.
navigator.serviceWorker
  ?.getRegistrations()
  .then((all) => all.forEach((worker) => void worker.unregister()))
  .catch(() => undefined);

showUncaughtErrors();
tolerateTranslatedText();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root.");

const portal = (
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </StrictMode>
);
// Public pages arrive as HTML (scripts/content/prerender-plugin.ts) and are hydrated.
// The transition lets the browser respond to clicks in between.
// If a translation or an extension has changed the page, React renders it again, which users need not know.
// oxlint-disable-next-line no-console
const logOnly = { onRecoverableError: console.warn };
const isFrame = root.hasAttribute("data-frame");
if (isFrame)
  // The frame of a page for signed-in users (web/app/show-frame.js) stays until the page can replace it.
  void loadPortalPage(window.location.pathname).then(() =>
    replaceFrame(root, () => flushSync(() => createRoot(root).render(portal))),
  );
else if (root.firstElementChild) {
  keepPrerenderedPage();
  startTransition(() => void hydrateRoot(root, portal, logOnly));
} else createRoot(root).render(portal);
