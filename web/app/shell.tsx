import type { ReactNode } from "react";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { useSession } from "./session.ts";
import classes from "./shell.module.css";
import { ViewBanner } from "./view-banner.tsx";
import { VisitAnalytics } from "./visit-analytics.tsx";

/** Header, the page's `main`, footer. */
export function Shell({ children }: { children: ReactNode }) {
  const isView = useSession()?.isView;
  return (
    <div className={classes.shell} data-viewing={isView}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <ViewBanner />
      <Header />
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <VisitAnalytics />
    </div>
  );
}
