import { Component, type ReactNode } from "react";
import { BrokenPage } from "#web/pages/public/error-500.tsx";
import { MaintenancePage } from "#web/pages/public/error-maintenance.tsx";

/** Browsers word a failed dynamic import differently; these are Chromium, Firefox and Safari. */
const failedImport = /dynamically imported module|Importing a module script failed|error loading dynamically/i;

/** Shows the error page in the place of a page that threw, and leaves the shell usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return error instanceof Error && failedImport.test(error.message) ? <MaintenancePage /> : <BrokenPage />;
  }
}
