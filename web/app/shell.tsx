import type { ReactNode } from "react";
import { OfflineBanner } from "#web/ui/offline-banner.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { useSession } from "#web/platform/session.ts";
import classes from "./shell.module.css";
import { TaggedSite } from "./tagged-site.tsx";
import { ViewBanner } from "./view-banner.tsx";

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
      <TaggedSite />
      <OfflineBanner />
    </div>
  );
}
