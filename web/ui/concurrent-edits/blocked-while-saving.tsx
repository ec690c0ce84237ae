import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useFormBusy } from "#web/ui/form/app-form.tsx";
import classes from "#web/ui/form/form.module.css";

/** Disables its fields while the form is being submitted, then restores the focus. */
export function BlockedWhileSaving({ children }: { children: ReactNode }) {
  const busy = useFormBusy();
  const focused = useRef<HTMLElement | null>(null);
  const fields = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (busy) return;
    if (document.activeElement === document.body) focused.current?.focus();
    focused.current = null;
  }, [busy]);
  return (
    <div
      ref={fields}
      className={classes.form}
      inert={busy}
      onFocus={({ target }) => {
        focused.current = target;
      }}
    >
      {children}
    </div>
  );
}
