import { useGraphiQL } from "@graphiql/react";
import { parse, validate } from "graphql";
import { useEffect, useState } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { useSession } from "#web/platform/session.ts";
import { estimateCost, getOperationKey } from "./run-operation.ts";
import { type Caller, useCaller } from "./caller.ts";
import { Tag } from "#web/public-ui/tag.tsx";
import classes from "./cost-line.module.css";
import { exampleGroups } from "./examples.ts";
import { canRunExamples } from "./example-menu.tsx";
import { getCallerId, chosenExample, lastRun, pastedToken, type QueryCost } from "./explorer-state.ts";

/** Delay between typing and requesting the cost, in milliseconds. */
const PAUSE_MS = 800;

/** Shows the estimated cost of the query in the editor, or the actual cost after it was run. */
export function CostLine() {
  const caller = useCaller();
  const { query, variables, operationName } = useCurrentOperation();
  const callerId = useCallerId();
  const { estimate, key } = useEstimate(query, variables, operationName, callerId);
  const run = lastRun.use();
  // Limits depend on the role, so a cost only applies to the caller who requested it.
  const isRun = run !== null && run.key === key && run.callerId === callerId;
  const cost = isRun ? run.cost : estimate;
  const requirement = useRequirement(caller);
  return (
    <footer className={classes.line} data-over={(cost && cost.requested > cost.limit) || undefined}>
      <div className={classes.cost} role="status">
        {cost ? <Cost cost={cost} isRun={isRun} isRefused={isRun && run.isRefused} /> : <span>Cost: –</span>}
        {isRun && run.bytes > 0 && (
          <span>
            {formatNumber(Math.round(run.ms))} ms · {formatSize(run.bytes)}
          </span>
        )}
      </div>
      {requirement && <Tag>{requirement}</Tag>}
    </footer>
  );
}

function Cost({
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

/** Returns the identifier of the caller as React state; null for a visitor. */
function useCallerId(): string | null {
  return getCallerId(pastedToken.use(), useSession());
}

/** Returns the operation in the editors of the current tab, with a short delay. */
function useCurrentOperation() {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const operationName = useGraphiQL((state) => state.operationName);
  return { query: tab?.query ?? "", variables: tab?.variables ?? "", operationName };
}

function useEstimate(query: string, variables: string, operationName: string | undefined, callerId: string | null) {
  const schema = useGraphiQL((state) => state.schema);
  const [estimate, setEstimate] = useState<{ key: string; callerId: string | null; cost: QueryCost | null } | null>(
    null,
  );
  const given = parseVariables(variables);
  const params = { query, variables: given ?? {}, ...(operationName ? { operationName } : {}) };
  const key = getOperationKey(params);
  useEffect(() => {
    if (!schema || !query.trim() || given === null) return;
    const timer = setTimeout(() => {
      // Skip the cost query while the document is invalid.
      try {
        if (validate(schema, parse(query)).length > 0) return;
      } catch {
        return;
      }
      void estimateCost(params).then((cost) => setEstimate({ key, callerId, cost }));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the key represents everything that is sent
  }, [key, schema, callerId]);
  return { key, estimate: estimate?.key === key && estimate.callerId === callerId ? estimate.cost : null };
}

/** Parses the variables; null if they aren't valid JSON. */
function parseVariables(text: string): Record<string, unknown> | null {
  if (!text.trim()) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Returns a message if the caller's role can't run the chosen example. */
function useRequirement(caller: Caller): string | null {
  const chosen = chosenExample.use();
  const group = chosen && exampleGroups(new Date()).find(({ label }) => label === chosen.group);
  if (!group || canRunExamples(group, caller)) return null;
  return `“${chosen.title}” requires ${group.requiredAccount} account. Sign in with one to run it.`;
}

function formatSize(characters: number): string {
  return characters < 1_000 ? `${characters} B` : `${(characters / 1_000).toFixed(1)} kB`;
}
