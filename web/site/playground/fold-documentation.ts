import { useGraphiQLActions } from "@graphiql/react";
import { useEffect } from "react";
import { useMedia } from "#web/ui/use-media.ts";

/** As in graphiql.css: up to this width what stands beside the editors lies over them. */
const NARROW = "(max-width: 56rem)";

/**
 * Folds the documentation and the history away where they would cover the editors and ▶: on a narrow screen at the start,
 * whatever the last visit left open, and when the window becomes narrow. Who opens them there has asked for them.
 */
export function useFoldedDocumentation(): void {
  const isNarrow = useMedia(NARROW);
  const actions = useGraphiQLActions();
  useEffect(() => {
    if (isNarrow) actions.setVisiblePlugin(null);
  }, [isNarrow, actions]);
}
