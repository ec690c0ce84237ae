import { useState } from "react";
import { loadListSettings, saveListSettings } from "./list-settings.ts";

/**
 * Manages the hidden columns of a list, which the browser stores. Null for a list without a column picker.
 * @param name name under which they are stored, or undefined for no column picker
 */
export function useHiddenColumns(name: string | undefined): [readonly string[], ((hidden: string[]) => void) | null] {
  const [hidden, setHidden] = useState<readonly string[]>(
    () => (name && loadListSettings(`${name}-columns`, parseHidden)) || none,
  );
  if (name === undefined) return [none, null];
  return [
    hidden,
    (next) => {
      setHidden(next);
      saveListSettings(`${name}-columns`, { hidden: next });
    },
  ];
}

const none: readonly string[] = [];

function parseHidden({ hidden }: Record<string, unknown>): readonly string[] {
  return Array.isArray(hidden) ? hidden.filter((title) => typeof title === "string") : none;
}
