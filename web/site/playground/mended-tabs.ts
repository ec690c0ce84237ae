import { useGraphiQL } from "@graphiql/react";
import { useLayoutEffect } from "react";

/**
 * GraphiQL's tabs are `role="tab"` with buttons within, which assistive programs can't tell apart from the tab itself
 * (axe: nested-interactive). They are a list of buttons here, of which one is the present.
 */
export function useMendedTabs(): void {
  const tabs = useGraphiQL((state) => state.tabs);
  const activeTabIndex = useGraphiQL((state) => state.activeTabIndex);
  useLayoutEffect(() => {
    document.querySelector(".graphiql-tabs")?.setAttribute("role", "list");
    for (const [place, item] of [...document.querySelectorAll(".graphiql-tabs > .graphiql-tab")].entries()) {
      item.setAttribute("role", "listitem");
      item.removeAttribute("aria-selected");
      item.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", String(place === activeTabIndex));
    }
    const session = document.querySelector("#graphiql-session");
    session?.setAttribute("role", "group");
  }, [tabs, activeTabIndex]);
}
