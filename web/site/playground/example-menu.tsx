import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { IconChevronDown } from "@tabler/icons-react";
import { useId, useRef } from "react";
import { Button } from "#web/public-ui/button.tsx";
import type { Caller } from "./caller.ts";
import { type Example, type ExampleGroup, exampleGroups } from "./examples.ts";
import classes from "./example-menu.module.css";
import { chosenExample } from "./explorer-state.ts";

/** Examples with dates relative to the day the page was opened. */
const groups = exampleGroups(new Date());

/** Returns whether the caller can run a group's examples. Always true for tokens, because only the server knows their scopes. */
export function canRunExamples({ roles }: ExampleGroup, { kind, role }: Caller): boolean {
  return roles.length === 0 || kind === "token" || (role !== null && roles.includes(role));
}

/** Menu of examples. Choosing one fills the editors. If the user has edited the query, it opens a new tab. */
export function ExampleMenu({ caller }: { caller: Caller }) {
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  const actions = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const responseEditor = useGraphiQL((state) => state.responseEditor);

  function choose(group: ExampleGroup, { title, query, variables }: Example) {
    panel.current?.hidePopover();
    const current = queryEditor?.getValue().trim() ?? "";
    const isExample = groups.some(({ examples }) => examples.some((one) => one.query.trim() === current));
    if (current && !isExample) actions.addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : "");
    // Clear the response, because it belongs to the previous query.
    responseEditor?.setValue("");
    chosenExample.set({ title, group: group.label });
    queryEditor?.focus();
  }

  return (
    <>
      <Button variant="default" size="sm" popoverTarget={panelId} disabled={!queryEditor}>
        Examples
        <IconChevronDown size={16} stroke={2} aria-hidden="true" />
      </Button>
      <div ref={panel} id={panelId} popover="auto" className={classes.panel} role="group" aria-label="Examples">
        {groups.map((group) => (
          <section key={group.label} aria-labelledby={`${panelId}-${group.label}`}>
            <h2 id={`${panelId}-${group.label}`} className={classes.heading}>
              {group.label}
              {!canRunExamples(group, caller) && <span>requires {group.requiredAccount} account</span>}
            </h2>
            <ul className={classes.list}>
              {group.examples.map((example) => (
                <li key={example.id}>
                  <button type="button" className={classes.example} onClick={() => choose(group, example)}>
                    <b>{example.title}</b>
                    <span>{example.description}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
