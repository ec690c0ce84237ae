import { DOC_EXPLORER_PLUGIN } from "@graphiql/plugin-doc-explorer";
import type { Fetcher } from "@graphiql/toolkit";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { buildSchema, lexicographicSortSchema } from "graphql";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import schemaText from "#schema/schema.graphql?raw";
import { useColourScheme } from "#web/platform/colour-scheme.ts";
import { NotificationHost } from "#web/public-ui/notification-host.tsx";
import { OfflineBanner } from "#web/public-ui/offline-banner.tsx";
import { runOperation } from "./run-operation.ts";
import { CostLine } from "./cost-line.tsx";
import { ExplorerBar } from "./explorer-bar.tsx";
import { exampleGroups } from "./examples.ts";
import { editorThemes, usePortalColours } from "./monaco-theme.ts";
import { QUERY_BUILDER_PLUGIN } from "./query-builder.tsx";
import classes from "./schema-explorer.module.css";
import { type MonacoEditor, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useMedia } from "#web/platform/use-media.ts";
import { useSession } from "#web/platform/session.ts";
import { getCallerId, lastRun, pastedToken } from "./explorer-state.ts";

/** Up to this width, side panels cover the editors. Same as in graphiql.css. */
const NARROW = "(max-width: 56rem)";

/**
 * Closes the side panels on narrow screens, where they would cover the editors. Runs at the start, even if a panel was left
 * open at the last visit, and when the window becomes narrow. Users can open the panels again.
 */
function useClosedPanels(): void {
  const isNarrow = useMedia(NARROW);
  const actions = useGraphiQLActions();
  useEffect(() => {
    if (isNarrow) actions.setVisiblePlugin(null);
  }, [isNarrow, actions]);
}

const getMonoFont = () => getComputedStyle(document.documentElement).getPropertyValue("--xp-mono").trim();

/** Sets the font, line wrapping and accessible names of the editors. */
function useEditorOptions(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    headerEditor: state.headerEditor,
    responseEditor: state.responseEditor,
  }));
  useOptions(queryEditor, "Query");
  useOptions(variableEditor, "Variables, JSON");
  useOptions(headerEditor, "Headers, JSON");
  useOptions(responseEditor, "Response");
}

function useOptions(editor: MonacoEditor | undefined, ariaLabel: string): void {
  useEffect(() => {
    if (!editor) return;
    const wrapping = { wordWrap: "on", wrappingIndent: "deepIndent" } as const;
    editor.updateOptions({ ariaLabel, ...wrapping, renderFinalNewline: "on", fontFamily: getMonoFont(), fontSize: 14 });
    // Tab moves the focus, so keyboard users can leave the editor. It still accepts an open suggestion.
    const listener = editor.onKeyDown(({ browserEvent }) => {
      if (browserEvent.key !== "Tab" || editor.getDomNode()?.querySelector(".suggest-widget.visible")) return;
      browserEvent.stopPropagation();
    });
    return () => listener.dispose();
  }, [editor, ariaLabel]);
}

/** The schema is bundled with the page, so no introspection is necessary. Sorted by name. */
const schema = lexicographicSortSchema(buildSchema(schemaText));

// Constants, because GraphiQL resets itself and closes the documentation when these props change.
const plugins = [QUERY_BUILDER_PLUGIN, HISTORY_PLUGIN];
const fetcher: Fetcher = (params, options) => runOperation(params, options?.headers) as Promise<object>;

/** From this width on, the documentation is open at the first visit. */
const WIDE = "(min-width: 64rem)";

/** GraphiQL in the portal's design, with examples, sign-in and query costs. */
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
          <Integrations>{bar && createPortal(<ExplorerBar />, bar)}</Integrations>
        </GraphiQL>
      </main>
      <NotificationHost />
      <OfflineBanner />
    </div>
  );
}

/** Runs the hooks that need GraphiQL's context. */
function Integrations({ children }: { children: ReactNode }) {
  usePortalColours(useColourScheme());
  useEditorOptions();
  useClosedPanels();
  useAccessibleTabs();
  useClearedResponses();
  return children;
}

/**
 * Clears the responses in all tabs when the caller changes, so that a user who signs out, removes a token or signs out in
 * another window leaves no data on the screen.
 */
function useClearedResponses(): void {
  const pasted = pastedToken.use();
  const session = useSession();
  const callerId = getCallerId(pasted, session);
  const before = useRef(callerId);
  const tabs = useGraphiQL((state) => state.tabs);
  const shown = useGraphiQL((state) => state.responseEditor);
  const actions = useGraphiQLActions();
  useEffect(() => {
    const last = before.current;
    before.current = callerId;
    // Responses to visitors are public.
    if (last === null || last === callerId) return;
    // GraphiQL has no action to update inactive tabs.
    for (const tab of tabs) Object.assign(tab, { response: null });
    shown?.setValue("");
    actions.updateActiveTabValues({ response: null });
    lastRun.set(null);
  }, [callerId, tabs, shown, actions]);
}

/**
 * Changes GraphiQL's tabs to a list of buttons. GraphiQL nests buttons in elements with `role="tab"`, which screen readers
 * can't access (axe: nested-interactive).
 */
function useAccessibleTabs(): void {
  const tabs = useGraphiQL((state) => state.tabs);
  const activeTabIndex = useGraphiQL((state) => state.activeTabIndex);
  useLayoutEffect(() => {
    document.querySelector(".graphiql-tabs")?.setAttribute("role", "list");
    for (const [position, item] of [...document.querySelectorAll(".graphiql-tabs > .graphiql-tab")].entries()) {
      item.setAttribute("role", "listitem");
      item.removeAttribute("aria-selected");
      item.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", String(position === activeTabIndex));
    }
    const session = document.querySelector("#graphiql-session");
    session?.setAttribute("role", "group");
  }, [tabs, activeTabIndex]);
}
