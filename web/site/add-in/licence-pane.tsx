import type { ReactNode } from "react";
import { IconX } from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import classes from "./licence-pane.module.css";

export interface LicencePaneProps {
  title: string;
  message: string;
  /** Whether the add-in works in this state. */
  isReady: boolean;
  codeLabel: string;
  /** Sandbox code that returns this state. Empty if no licence code is involved. */
  sandbox: string;
  buttons: readonly string[];
  /** Explanation below the picture. */
  children: ReactNode;
}

/** The add-in's task pane in one state, as it looks in the planning program. Its buttons are drawn. */
export function LicencePane({ title, message, isReady, codeLabel, sandbox, buttons, children }: LicencePaneProps) {
  return (
    <figure className={classes.figure}>
      <div className={classes.pane}>
        <div className={classes.bar}>
          <span>{brand.productName}</span>
          <IconX size={14} aria-hidden="true" />
        </div>
        <div className={classes.body}>
          <p className={classes.message} data-ready={isReady || undefined}>
            {message}
          </p>
          <div className={classes.code}>
            <span>{codeLabel}</span>
            <code>{sandbox || "\u00A0"}</code>
          </div>
          <div className={classes.buttons}>
            {buttons.map((button, index) => (
              <span key={button} data-first={index === 0 || undefined}>
                {button}
              </span>
            ))}
          </div>
        </div>
      </div>
      <figcaption>
        <h3>{title}</h3>
        {children}
      </figcaption>
    </figure>
  );
}
