import { createContext, Suspense, use } from "react";
import type { ContestedField } from "./use-merged-edits.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** The contested fields of a form by name, and how to settle one. */
export interface ContestedFields {
  fields: Readonly<Record<string, ContestedField>>;
  settle: (name: string, whose: "mine" | "theirs") => void;
}

/** Told to the fields by the form around them; null while nothing is contested. */
export const ContestedContext = createContext<ContestedFields | null>(null);

/** Few ever see it. */
const ContestedChoices = lazyPart(() => import("./contested-choices.tsx"), "message");

/** Stands under fields and offers both values of those that are contested. */
export function Contested({ names }: { names: readonly string[] }) {
  const contested = use(ContestedContext);
  if (!contested || !names.some((name) => contested.fields[name])) return null;
  return (
    <Suspense fallback={null}>
      <ContestedChoices names={names} contested={contested} />
    </Suspense>
  );
}
