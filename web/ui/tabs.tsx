import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import classes from "./tabs.module.css";

export interface TabsProps {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly { id: string; label: string }[];
  /** Id of the open tab. */
  chosen: string;
  onChoose: (id: string) => void;
  /** Content of the open tab. */
  children: ReactNode;
}

/** Tabs that follow the WAI-ARIA pattern: one tab stop, and arrow keys, Home and End to switch. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const tabId = (id: string) => `${base}-tab-${id}`;

  // On a narrow screen the row scrolls. Keep the open tab visible.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>("[aria-selected=true]");
    open?.scrollIntoView?.({ block: "nearest", inline: "nearest", behavior: "instant" });
  }, [chosen]);

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex(({ id }) => tabId(id) === document.activeElement?.id);
    const places: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[places[event.key] ?? -1];
    if (at === -1 || !next) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabId(next.id))}`)?.focus();
    if (next.id !== chosen) onChoose(next.id);
  }

  return (
    <>
      <div ref={list} role="tablist" tabIndex={-1} aria-label={label} className={classes.list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => {
          const isChosen = tab.id === chosen;
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={tabId(tab.id)}
              className={classes.tab}
              aria-selected={isChosen}
              aria-controls={isChosen ? `${base}-panel` : undefined}
              tabIndex={isChosen ? 0 : -1}
              onClick={() => {
                if (!isChosen) onChoose(tab.id);
              }}
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={tabId(chosen)} tabIndex={0} className={classes.panel}>
        {children}
      </div>
    </>
  );
}
