import { DOC_EXPLORER_PLUGIN } from "@graphiql/plugin-doc-explorer";
import type { Fetcher } from "@graphiql/toolkit";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { buildSchema, lexicographicSortSchema } from "graphql";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import schemaText from "#schema/schema.graphql?raw";
import { useColourScheme } from "#web/ui/colour-scheme.ts";
import { NotificationHost } from "#web/ui/notification-host.tsx";
import { OfflineBanner } from "#web/ui/offline-banner.tsx";
import { runOperation } from "./ask.ts";
import { CostLine } from "./cost-line.tsx";
import { ExplorerBar } from "./explorer-bar.tsx";
import { exampleGroups } from "./examples.ts";
import { editorThemes, usePortalColours } from "./monaco-theme.ts";
import { QUERY_BUILDER_PLUGIN } from "./query-builder.tsx";
import classes from "./schema-explorer.module.css";
import { type MonacoEditor, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useMedia } from "#web/ui/use-media.ts";
import { useSession } from "#web/platform/session.ts";
import { askerOf, lastRun, pastedToken } from "./explorer-state.ts";

/** As in graphiql.css: up to this width what stands beside the editors lies over them. */
const NARROW = "(max-width: 56rem)";

/**
 * Folds the documentation and the history away where they would cover the editors and ▶: on a narrow screen at the start,
 * whatever the last visit left open, and when the window becomes narrow. Who opens them there has asked for them.
 */
function useFoldedDocumentation(): void {
  const isNarrow = useMedia(NARROW);
  const actions = useGraphiQLActions();
  useEffect(() => {
    if (isNarrow) actions.setVisiblePlugin(null);
  }, [isNarrow, actions]);
}

const letters = () => getComputedStyle(document.documentElement).getPropertyValue("--xp-mono").trim();

/** Gives the editors the portal's letters, breaks their long lines, and names them for assistive programs. */
function useFittedEditors(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    headerEditor: state.headerEditor,
    responseEditor: state.responseEditor,
  }));
  useFitted(queryEditor, "Query");
  useFitted(variableEditor, "Variables, JSON");
  useFitted(headerEditor, "Headers, JSON");
  useFitted(responseEditor, "Answer");
}

function useFitted(editor: MonacoEditor | undefined, ariaLabel: string): void {
  useEffect(() => {
    if (!editor) return;
    const wrapping = { wordWrap: "on", wrappingIndent: "deepIndent" } as const;
    editor.updateOptions({ ariaLabel, ...wrapping, renderFinalNewline: "on", fontFamily: letters(), fontSize: 14 });
    // Tab leads on, as everywhere: nobody who uses keys is caught in an editor. A suggestion is still taken with it.
    const leaving = editor.onKeyDown(({ browserEvent }) => {
      if (browserEvent.key !== "Tab" || editor.getDomNode()?.querySelector(".suggest-widget.visible")) return;
      browserEvent.stopPropagation();
    });
    return () => leaving.dispose();
  }, [editor, ariaLabel]);
}

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

/**
 * Takes what was answered to one person out of every tab once somebody else asks or nobody: who signs out, forgets a token,
 * or signs out in another window does not leave their licences on the screen.
 */
function useForgottenAnswers(): void {
  const pasted = pastedToken.use();
  const session = useSession();
  const who = askerOf(pasted, session);
  const before = useRef(who);
  const tabs = useGraphiQL((state) => state.tabs);
  const shown = useGraphiQL((state) => state.responseEditor);
  const actions = useGraphiQLActions();
  useEffect(() => {
    const last = before.current;
    before.current = who;
    // What a visitor was answered is anybody's.
    if (last === null || last === who) return;
    // There is no action for the tabs that are not in view.
    for (const tab of tabs) Object.assign(tab, { response: null });
    shown?.setValue("");
    actions.updateActiveTabValues({ response: null });
    lastRun.set(null);
  }, [who, tabs, shown, actions]);
}

/**
 * GraphiQL's tabs are `role="tab"` with buttons within, which assistive programs can't tell apart from the tab itself
 * (axe: nested-interactive). They are a list of buttons here, of which one is the present.
 */
function useMendedTabs(): void {
  const tabs = useGraphiQL((state) => state.tabs);
  const activeTabIndex = useGraphiQL((state) => state.activeTabIndex);
  useLayoutEffect(() => {
    document.querySelector(".graphiql-tabs")?.setAttribute("role", "list");
    for (const [place, item] of [...document.querySelectorAll(".graphiql-tabs > .graphiql-tab")].entries()) {
      item.setAttribute("role", "listitem");
      item.removeAttribute("aria-selected");
      item.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", String(place === activeTabIndex));
    }
    const session = document.querySelector("#graphiql-session");
    session?.setAttribute("role", "group");
  }, [tabs, activeTabIndex]);
}
