import type { ReactNode } from "react";
import classes from "./badge.module.css";

/** `calm` for normal, `notice` for worth a look, `critical` for a problem, `quiet` for ended or turned off. */
export type BadgeTone = "calm" | "notice" | "critical" | "quiet";

/** Shows a status in one or two words. The colour never carries the meaning alone. */
export function Badge({
  tone = "calm",
  size = "md",
  children,
}: {
  tone?: BadgeTone | undefined;
  size?: "md" | "lg";
  children: ReactNode;
}) {
  return (
    <span className={classes.badge} data-tone={tone} data-size={size}>
      {children}
    </span>
  );
}
