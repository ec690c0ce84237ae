import { DOC_EXPLORER_PLUGIN } from "@graphiql/plugin-doc-explorer";
import { explorerPlugin } from "@graphiql/plugin-explorer";
import { useGraphiQL } from "@graphiql/react";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { buildSchema, lexicographicSortSchema } from "graphql";
import { useEffect, useLayoutEffect, useState } from "react";
import { brand } from "#schema/brand.ts";
import schemaText from "#schema/schema.graphql?raw";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { useColourScheme } from "#web/platform/colour-scheme.ts";
import { loginHref, schemaExplorer } from "#web/platform/paths.ts";
import { getSession, onSessionChange, useSession } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";
import { OfflineBanner } from "#web/ui/offline-banner.tsx";
import { EXAMPLES_PLUGIN, groups } from "./examples-plugin.tsx";
import { runOperation, setFiles, setToken } from "./run-operation.ts";
import fields from "#web/ui/form/native-fields.module.css";
import classes from "./schema-explorer.module.css";

/** The schema is bundled with the page, so no introspection is necessary. Sorted by name. */
const schema = lexicographicSortSchema(buildSchema(schemaText));

// A constant, because GraphiQL resets itself and closes the documentation when the plugins change.
const plugins = [EXAMPLES_PLUGIN, explorerPlugin(), HISTORY_PLUGIN];

/** From this width on, a panel fits next to the editors, so the documentation is open at first. */
const WIDE = "(min-width: 64rem)";

/** GraphiQL with our schema, examples and sign-in. */
export function SchemaExplorer() {
  const scheme = useColourScheme();
  const [isWide] = useState(() => window.matchMedia(WIDE).matches);
  useEffect(reloadForAnotherUser, []);
  return (
    <div className={classes.page}>
      <Header />
      <main className={classes.main}>
        <GraphiQL
          fetcher={runOperation}
          schema={schema}
          plugins={plugins}
          referencePlugin={DOC_EXPLORER_PLUGIN}
          {...(isWide ? { visiblePlugin: DOC_EXPLORER_PLUGIN } : {})}
          defaultQuery={groups[0]?.examples[0]?.query ?? ""}
          defaultEditorToolsVisibility="variables"
          // The history would store a token among the headers.
          isHeadersEditorEnabled={false}
          shouldPersistHeaders={false}
          forcedTheme={scheme}
        >
          <GraphiQL.Logo>
            <></>
          </GraphiQL.Logo>
          <Accessibility />
        </GraphiQL>
      </main>
      <OfflineBanner />
    </div>
  );
}

/** Reloads the page when the user signs out or another one signs in, in any tab, so that no response stays on the screen. */
function reloadForAnotherUser(): () => void {
  const userId = getSession()?.claims.id;
  return onSessionChange(() => {
    if (userId && getSession()?.claims.id !== userId) window.location.reload();
  });
}

function Header() {
  const session = useSession();
  const [isSigningOut, setIsSigningOut] = useState(false);
  return (
    <header className={classes.bar}>
      <h1>Schema explorer</h1>
      <a href="/">{brand.name}</a>
      <a href="/schema.graphql" download="schema.graphql">
        Download SDL
      </a>
      <input
        type="password"
        className={fields.box}
        aria-label="Personal access token"
        placeholder="xpat_… (only kept in memory)"
        autoComplete="off"
        onChange={({ target }) => setToken(target.value.trim())}
      />
      <label>
        Files <input type="file" multiple onChange={({ target }) => setFiles([...(target.files ?? [])])} />
      </label>
      <p role="status">{session ? `${session.claims.givenName} ${session.claims.familyName}` : "Not signed in"}</p>
      {session ? (
        <Button
          size="xs"
          variant="default"
          loading={isSigningOut}
          onClick={() => {
            setIsSigningOut(true);
            void signOut();
          }}
        >
          Sign out
        </Button>
      ) : (
        <a href={loginHref(schemaExplorer)}>Sign in</a>
      )}
    </header>
  );
}

/** Makes the editors and tabs of GraphiQL accessible. */
function Accessibility() {
  const { queryEditor, variableEditor, responseEditor, tabs, activeTabIndex } = useGraphiQL((state) => state);
  useEffect(() => {
    const listeners = [queryEditor, variableEditor, responseEditor].map((editor) => {
      // By default, the number of the last line has too little contrast.
      editor?.updateOptions({ renderFinalNewline: "on", wordWrap: "on" });
      // Tab moves the focus, so keyboard users can leave the editor. It still accepts an open suggestion.
      return editor?.onKeyDown(({ browserEvent }) => {
        if (browserEvent.key === "Tab" && !editor.getDomNode()?.querySelector(".suggest-widget.visible"))
          browserEvent.stopPropagation();
      });
    });
    return () => listeners.forEach((listener) => listener?.dispose());
  }, [queryEditor, variableEditor, responseEditor]);
  // GraphiQL nests buttons in elements with `role="tab"`, which screen readers can't access (axe: nested-interactive).
  useLayoutEffect(() => {
    document.querySelector(".graphiql-tabs")?.setAttribute("role", "list");
    for (const [position, item] of [...document.querySelectorAll(".graphiql-tabs > .graphiql-tab")].entries()) {
      item.setAttribute("role", "listitem");
      item.removeAttribute("aria-selected");
      item.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", String(position === activeTabIndex));
    }
    document.querySelector("#graphiql-session")?.setAttribute("role", "group");
  }, [tabs, activeTabIndex]);
  return null;
}
