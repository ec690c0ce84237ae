import { DOC_EXPLORER_PLUGIN } from "@graphiql/plugin-doc-explorer";
import type { Fetcher } from "@graphiql/toolkit";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { buildSchema, lexicographicSortSchema } from "graphql";
import { type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import schemaText from "#schema/schema.graphql?raw";
import { useColourScheme } from "#web/ui/colour-scheme.ts";
import { NotificationHost } from "#web/ui/notification-host.tsx";
import { OfflineBanner } from "#web/ui/offline-banner.tsx";
import { runOperation } from "./ask.ts";
import { CostLine } from "./cost-line.tsx";
import { ExplorerBar } from "./explorer-bar.tsx";
import { exampleGroups } from "./examples.ts";
import { useForgottenAnswers } from "./forget-answers.ts";
import { useMendedTabs } from "./mended-tabs.ts";
import { editorThemes, usePortalColours } from "./monaco-theme.ts";
import { QUERY_BUILDER_PLUGIN } from "./query-builder.tsx";
import classes from "./schema-explorer.module.css";
import { useFittedEditors } from "./fit-editors.ts";
import { useFoldedDocumentation } from "./fold-documentation.ts";

/**
 * The schema comes with the page: its documentation needs no right to ask the server for it (decision 0049). By name, as a
 * list of hundreds of types is read.
 */
const schema = lexicographicSortSchema(buildSchema(schemaText));

// The same each time: GraphiQL begins anew, and folds the documentation away, for what it takes for others.
const plugins = [QUERY_BUILDER_PLUGIN, HISTORY_PLUGIN];
const fetcher: Fetcher = (params, options) => runOperation(params, options?.headers) as Promise<object>;

/** From this width on the documentation stands open beside the editors at the first visit. */
const WIDE = "(min-width: 64rem)";

/** GraphiQL in the portal's clothes, with examples, sign-in and the cost of each query. */
export function SchemaExplorer() {
  const scheme = useColourScheme();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const [first] = useState(() => exampleGroups(new Date())[0]?.examples[0]);
  const [isWide] = useState(() => window.matchMedia(WIDE).matches);
  return (
    <div className={classes.page}>
      <header ref={setBar} className={classes.bar} />
      <main className={classes.main}>
        <GraphiQL
          fetcher={fetcher}
          schema={schema}
          plugins={plugins}
          referencePlugin={DOC_EXPLORER_PLUGIN}
          {...(isWide ? { visiblePlugin: DOC_EXPLORER_PLUGIN } : {})}
          defaultTabs={[{ query: first?.query ?? "" }]}
          defaultQuery=""
          defaultEditorToolsVisibility="variables"
          shouldPersistHeaders={false}
          forcedTheme={scheme}
          defaultTheme={scheme}
          editorTheme={editorThemes}
        >
          <GraphiQL.Logo>
            <></>
          </GraphiQL.Logo>
          <GraphiQL.Footer>
            <CostLine />
          </GraphiQL.Footer>
          <Fittings>{bar && createPortal(<ExplorerBar />, bar)}</Fittings>
        </GraphiQL>
      </main>
      <NotificationHost />
      <OfflineBanner />
    </div>
  );
}

/** What has to stand within GraphiQL to know of it. */
function Fittings({ children }: { children: ReactNode }) {
  usePortalColours(useColourScheme());
  useFittedEditors();
  useFoldedDocumentation();
  useMendedTabs();
  useForgottenAnswers();
  return children;
}
