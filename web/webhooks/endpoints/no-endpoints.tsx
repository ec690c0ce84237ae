import { IconWebhook } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./no-endpoints.module.css";

/** Empty state that explains webhooks. `children` is the button to add an endpoint. */
export function NoEndpoints({ children }: { children: ReactNode }) {
  return (
    <section className={classes.empty} aria-labelledby="no-endpoints">
      <span className={classes.picture}>
        <IconWebhook size={30} stroke={1.5} aria-hidden="true" />
      </span>
      <h2 id="no-endpoints">No endpoints yet</h2>
      <p>
        A webhook is a message from us to your own software. Add the URL of your software and choose its events. It will
        receive each event within seconds, without polling.
      </p>
      {children}
    </section>
  );
}
