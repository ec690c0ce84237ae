import { IconAlertTriangle, IconClock, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./callout.module.css";

const icons = { calm: IconInfoCircle, notice: IconClock, critical: IconAlertTriangle };

/** Highlights a message: a status (`calm`), something to know (`notice`) or something to do (`critical`). */
export function Callout({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <div className={classes.callout} data-tone={tone}>
      <Icon className={classes.icon} size={22} stroke={1.8} aria-hidden="true" />
      <div className={classes.words}>{children}</div>
    </div>
  );
}
