import "./styles.ts";
import "#web/ui/back-and-forward.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./app.tsx";
import { reloadOnceWhenOutdated } from "./outdated.ts";

reloadOnceWhenOutdated();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root.");

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </StrictMode>,
);
