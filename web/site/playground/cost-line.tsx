import { useGraphiQL } from "@graphiql/react";
import { parse, validate } from "graphql";
import { useEffect, useState } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { useSession } from "#web/platform/session.ts";
import { costOf, keyOf } from "./ask.ts";
import { type Caller, useCaller } from "./caller.ts";
import classes from "./cost-line.module.css";
import { exampleGroups } from "./examples.ts";
import { mayRun } from "./example-menu.tsx";
import { askerOf, chosenExample, lastRun, pastedToken, type QueryCost } from "./explorer-state.ts";

/** A pause in the typing after which the cost is asked for. */
const PAUSE_MS = 800;

/** What the query in the editor costs: before it is run by asking the server for nothing else, after it as it was told. */
export function CostLine() {
  const caller = useCaller();
  const { query, variables, operationName } = usePresentOperation();
  const asker = useAsker();
  const { estimate, key } = useEstimate(query, variables, operationName, asker);
  const run = lastRun.use();
  // Limits depend on the role, so a cost is only good for whoever requested it.
  const isRun = run !== null && run.key === key && run.asker === asker;
  const cost = isRun ? run.cost : estimate;
  const needs = useNeeds(caller);
  return (
    <footer className={classes.line} data-over={(cost && cost.requested > cost.limit) || undefined}>
      <div className={classes.cost} role="status">
        {cost ? <Told cost={cost} isRun={isRun} isRefused={isRun && run.isRefused} /> : <span>Cost: –</span>}
        {isRun && run.bytes > 0 && (
          <span>
            {formatNumber(Math.round(run.ms))} ms · {sizeOf(run.bytes)}
          </span>
        )}
      </div>
      {needs && <p className={classes.needs}>{needs}</p>}
    </footer>
  );
}

function Told({
  cost: { requested, limit },
  isRun,
  isRefused,
}: {
  cost: QueryCost;
  isRun: boolean;
  isRefused: boolean;
}) {
  const isOver = requested > limit;
  return (
    <>
      <span className={classes.meter} aria-hidden="true">
        <i style={{ width: `${Math.min(100, (requested / limit) * 100)}%` }} />
      </span>
      {isOver && (!isRun || isRefused) ? (
        <b>
          Query too expensive: cost {formatNumber(requested)}, limit {formatNumber(limit)}
        </b>
      ) : (
        <>
          <b>
            {isRun ? "Cost" : "Will cost"} {formatNumber(requested)}
          </b>
          <span>of {formatNumber(limit)}</span>
        </>
      )}
    </>
  );
}

/** Returns who asks, as React state; null for a visitor. */
function useAsker(): string | null {
  return askerOf(pastedToken.use(), useSession());
}

/** What stands in the editors of the tab in view, a moment after it was typed. */
function usePresentOperation() {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const operationName = useGraphiQL((state) => state.operationName);
  return { query: tab?.query ?? "", variables: tab?.variables ?? "", operationName };
}

function useEstimate(query: string, variables: string, operationName: string | undefined, asker: string | null) {
  const schema = useGraphiQL((state) => state.schema);
  const [told, setTold] = useState<{ key: string; asker: string | null; cost: QueryCost | null } | null>(null);
  const given = parsed(variables);
  const params = { query, variables: given ?? {}, ...(operationName ? { operationName } : {}) };
  const key = keyOf(params);
  useEffect(() => {
    if (!schema || !query.trim() || given === null) return;
    const timer = setTimeout(() => {
      // What the editor underlines is not worth a question.
      try {
        if (validate(schema, parse(query)).length > 0) return;
      } catch {
        return;
      }
      void costOf(params).then((cost) => setTold({ key, asker, cost }));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for all that is sent
  }, [key, schema, asker]);
  return { key, estimate: told?.key === key && told.asker === asker ? told.cost : null };
}

/** The variables as the server gets them; null for what is no JSON yet. */
function parsed(text: string): Record<string, unknown> | null {
  if (!text.trim()) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Whom the chosen example needs, for a caller who is somebody else. */
function useNeeds(caller: Caller): string | null {
  const chosen = chosenExample.use();
  const group = chosen && exampleGroups(new Date()).find(({ label }) => label === chosen.group);
  if (!group || mayRun(group, caller)) return null;
  return `“${chosen.title}” needs ${group.needs}: sign in as one to run it.`;
}

function sizeOf(characters: number): string {
  return characters < 1_000 ? `${characters} B` : `${(characters / 1_000).toFixed(1)} kB`;
}
