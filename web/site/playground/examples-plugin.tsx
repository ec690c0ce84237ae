import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { IconBulb } from "@tabler/icons-react";
import { type Example, exampleGroups } from "./examples.ts";
import classes from "./examples-plugin.module.css";

/** Examples with dates relative to the day the page was opened. */
export const groups = exampleGroups(new Date());
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
      <h2>Examples</h2>
      {groups.map(({ label, role, examples }) => (
        <section key={label} aria-label={label}>
          <h3>{label}</h3>
          {role !== "visitor" && <p>Sign in with such an account.</p>}
          <ul>
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

/** GraphiQL plugin with the panel. */
export const EXAMPLES_PLUGIN: GraphiQLPlugin = {
  title: "Examples",
  icon: () => <IconBulb stroke={1.75} aria-hidden="true" />,
  content: Examples,
};
