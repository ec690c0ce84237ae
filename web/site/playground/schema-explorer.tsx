import { DOC_EXPLORER_PLUGIN } from "@graphiql/plugin-doc-explorer";
import { explorerPlugin } from "@graphiql/plugin-explorer";
import { useGraphiQL, type GraphiQLPlugin, useGraphiQLActions } from "@graphiql/react";
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
import fields from "#web/ui/form/native-fields.module.css";
import classes from "./schema-explorer.module.css";
import type { Fetcher, Storage as ExplorerStorage } from "@graphiql/toolkit";
import { buildMultipartBody } from "#web/platform/multipart-body.ts";
import { GRAPHQL_URL } from "#web/platform/post-graphql.ts";
import { sendWithSession } from "#web/platform/refresh-session.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { browserStorage } from "#web/platform/storage.ts";
import { IconBulb } from "@tabler/icons-react";
import { type Example, exampleGroups } from "./examples.ts";

/** The schema is bundled with the page, so no introspection is necessary. Sorted by name. */
const schema = lexicographicSortSchema(buildSchema(schemaText));

// A constant, because GraphiQL resets itself and closes the documentation when the plugins change.
/** GraphiQL plugin with the panel. */
const EXAMPLES_PLUGIN: GraphiQLPlugin = {
  title: "Examples",
  icon: () => <IconBulb stroke={1.75} aria-hidden="true" />,
  content: Examples,
};

const plugins = [EXAMPLES_PLUGIN, explorerPlugin(), HISTORY_PLUGIN];

/** Stores the tabs and the history of GraphiQL, which fails where the browser refuses storage. */
const storage: ExplorerStorage = {
  getItem: (key) => browserStorage.get(key),
  setItem: (key, value) => void browserStorage.set(key, value),
  removeItem: (key) => browserStorage.remove(key),
  clear: () => browserStorage.clear((key) => !key.startsWith("graphiql:")),
  get length() {
    return browserStorage.keys().filter((key) => key.startsWith("graphiql:")).length;
  },
};

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
      <main style={{ minHeight: 0 }}>
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
          storage={storage}
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
      <h1 style={{ fontSize: "1.125rem" }}>Schema explorer</h1>
      <a href="/">{brand.name}</a>
      <a href="/schema.graphql" download="schema.graphql">
        Download SDL
      </a>
      <label className={classes.label}>
        Personal access token
        <input
          type="password"
          className={fields.box}
          style={{ flex: "0 1 17rem", height: "2rem" }}
          placeholder="xpat_… (only kept in memory)"
          autoComplete="off"
          onChange={({ target }) => setToken(target.value.trim())}
        />
      </label>
      <label className={classes.label}>
        Files
        <input
          type="file"
          style={{ flex: "0 1 17rem" }}
          multiple
          onChange={({ target }) => setFiles([...(target.files ?? [])])}
        />
      </label>
      <p role="status" style={{ flex: "1 0 auto", color: "var(--xp-muted)", textAlign: "end" }}>
        {session ? `${session.claims.givenName} ${session.claims.familyName}` : "Not signed in"}
      </p>
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

let pastedToken = "";
let files: readonly File[] = [];

/** Sets the personal access token that replaces the session. It is kept in memory until the page is closed. Empty for none. */
function setToken(token: string): void {
  pastedToken = token;
}

/** Sets the files to upload. A variable whose value is the name of one sends it. */
function setFiles(chosen: readonly File[]): void {
  files = chosen;
}

/** Sends an operation with the pasted token or the portal's session, and requests its cost. */
const runOperation: Fetcher = (params) => {
  const { variables = {}, ...operation } = params as { variables?: Readonly<Record<string, unknown>> };
  const findFile = (value: unknown) => files.find(({ name }) => name === value);
  const send = async (token: string | null) => {
    const headers = new Headers({ "X-Query-Cost": "1", "Apollo-Require-Preflight": "true" });
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const isUpload = Object.values(variables).some(findFile);
    if (!isUpload) headers.set("Content-Type", "application/json");
    const given = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, findFile(value) ?? value]),
    );
    const body = isUpload ? buildMultipartBody(operation, given) : JSON.stringify(params);
    return (await (await fetch(GRAPHQL_URL, { method: "POST", headers, body })).json()) as object;
  };
  return pastedToken
    ? send(pastedToken)
    : sendWithSession(send, (answer) => getErrorCode(answer) === "UNAUTHENTICATED");
};

/** Examples with dates relative to the day the page was opened. */
const groups = exampleGroups(new Date());
const all = groups.flatMap(({ examples }) => examples);

/** Panel with the examples. Choosing one fills the editors. If the user has written a query, it opens a new tab. */
function Examples() {
  const actions = useGraphiQLActions();
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    responseEditor: state.responseEditor,
  }));

  function choose({ query, variables }: Example) {
    const current = queryEditor?.getValue().trim();
    if (current && !all.some((one) => one.query.trim() === current)) actions.addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : "");
    responseEditor?.setValue("");
    // GraphiQL reads the name shortly after the text changes, so it would send the previous one if the example runs immediately.
    actions.setOperationName(/^(?:query|mutation) (\w+)/m.exec(query)?.[1] ?? "");
    // On narrow screens, the panel covers the editors (graphiql.css).
    if (window.matchMedia("(max-width: 56rem)").matches) actions.setVisiblePlugin(null);
  }

  return (
    <section className={classes.panel} aria-label="Examples">
      <h2 style={{ fontSize: "1.25rem" }}>Examples</h2>
      {groups.map(({ label, role, examples }) => (
        <section key={label} aria-label={label}>
          <h3 style={{ fontSize: "0.9375rem" }}>{label}</h3>
          {role !== "visitor" && <p>Sign in with such an account.</p>}
          <ul style={{ margin: "0.25rem 0 0", padding: 0, listStyle: "none" }}>
            {examples.map((example) => (
              <li key={example.name}>
                <button type="button" onClick={() => choose(example)}>
                  <b>{example.title}</b>
                  <span>{example.description}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
