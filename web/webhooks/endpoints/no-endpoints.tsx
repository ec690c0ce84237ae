import { IconWebhook } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./no-endpoints.module.css";

/** Stands where endpoints would, and says what they are for; `children` is the way to add one. */
export function NoEndpoints({ children }: { children: ReactNode }) {
  return (
    <section className={classes.empty} aria-labelledby="no-endpoints">
      <span className={classes.picture}>
        <IconWebhook size={30} stroke={1.5} aria-hidden="true" />
      </span>
      <h2 id="no-endpoints">No endpoints yet</h2>
      <p>
        A webhook is a message from us to your own software. Add the address at which it listens, choose the events it
        wants to hear of, and it knows within seconds, without asking again and again.
      </p>
      {children}
    </section>
  );
}
