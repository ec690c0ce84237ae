import "./styles.ts";
import "graphiql/setup-workers/vite";
import "graphiql/style.css";
import "@graphiql/plugin-explorer/style.css";
import "#web/site/playground/graphiql.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SchemaExplorer } from "#web/site/playground/schema-explorer.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("playground.html has no element #root.");

createRoot(root).render(
  <StrictMode>
    <SchemaExplorer />
  </StrictMode>,
);
