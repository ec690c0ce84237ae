import { createContext, use } from "react";
import type { ContestedField } from "./use-merged-edits.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** The contested fields of a form by name, with a function to settle one. */
export interface ContestedFields {
  fields: Readonly<Record<string, ContestedField>>;
  settle: (name: string, whose: "mine" | "theirs") => void;
}

/** Null if no field is contested. */
export const ContestedContext = createContext<ContestedFields | null>(null);

/** Rarely needed, so loaded on demand. */
const ContestedChoices = lazyPart(() => import("./contested-choices.tsx"), "message", null);

/** Shows both values of contested fields, below the fields. */
export function ContestedFieldChoices({ names }: { names: readonly string[] }) {
  const contested = use(ContestedContext);
  if (!contested || !names.some((name) => contested.fields[name])) return null;
  return <ContestedChoices names={names} contested={contested} />;
}
