import type { ReactNode } from "react";
import { StepUpHost } from "#web/access/two-step/step-up-host.tsx";
import DataLayer from "#web/platform/data-layer.tsx";

/** Provides Apollo Client, and the dialog that its operations open to prove the user's identity. */
export default function ApolloLayer({ children }: { children: ReactNode }) {
  return (
    <DataLayer>
      {children}
      <StepUpHost />
    </DataLayer>
  );
}
