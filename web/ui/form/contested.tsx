import { createContext, use } from "react";
import { Button } from "#web/ui/button.tsx";
import classes from "./contested.module.css";
import type { ContestedField } from "./use-merged-edits.ts";

/** The contested fields of a form by name, and how to settle one. */
export interface ContestedFields {
  fields: Readonly<Record<string, ContestedField>>;
  settle: (name: string, whose: "mine" | "theirs") => void;
}

/** Told to the fields by the form around them; null while nothing is contested. */
export const ContestedContext = createContext<ContestedFields | null>(null);

/** Stands under fields and offers both values of those that are contested. */
export function Contested({ names }: { names: readonly string[] }) {
  const contested = use(ContestedContext);
  const shown = names.flatMap((name) => {
    const field = contested?.fields[name];
    return field ? [[name, field] as const] : [];
  });
  if (!contested || shown.length === 0) return null;
  return (
    <>
      {shown.map(([name, { label, theirs, mine, by }]) => (
        <div key={name} className={classes.contested} role="group" aria-label={`${label}: which value?`}>
          <b className={classes.contestedLabel}>{label}</b>
          <dl>
            <dt>{by}</dt>
            <dd>{theirs || "(empty)"}</dd>
            <dt>You</dt>
            <dd>{mine || "(empty)"}</dd>
          </dl>
          <div className={classes.choice}>
            <Button
              size="sm"
              variant="default"
              aria-label={`Take theirs for ${label}`}
              onClick={() => contested.settle(name, "theirs")}
            >
              Take theirs
            </Button>
            <Button
              size="sm"
              variant="default"
              aria-label={`Keep mine for ${label}`}
              onClick={() => contested.settle(name, "mine")}
            >
              Keep mine
            </Button>
          </div>
        </div>
      ))}
    </>
  );
}
