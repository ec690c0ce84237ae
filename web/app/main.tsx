import "./styles.ts";
import "#web/platform/back-and-forward.ts";
import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./app.tsx";
import { showUncaughtErrors } from "#web/platform/uncaught-errors.ts";

// Remove the service worker that an earlier portal at this address installed.
void navigator.serviceWorker?.getRegistrations().then((all) => all.forEach((worker) => void worker.unregister()));

showUncaughtErrors();

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
if (root.firstElementChild) startTransition(() => void hydrateRoot(root, portal));
else createRoot(root).render(portal);
