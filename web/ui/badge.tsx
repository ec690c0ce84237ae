import type { ReactNode } from "react";
import classes from "./badge.module.css";

/** `calm` as it should be, `notice` worth a look, `critical` wrong, `quiet` over or off. */
export type BadgeTone = "calm" | "notice" | "critical" | "quiet";

/** One or two words on the state of something, in a colour that goes with them and never alone. */
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
