import { MantineProvider } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { forgetDraftsWithOtherTabs } from "#web/ui/form/draft.ts";
import { NotificationHost } from "#web/ui/notification-host.tsx";
import { AppRoutes } from "./router.tsx";
import { cssVariablesResolver, theme } from "./theme.ts";

/** The whole portal, inside a router of the caller's choice. `env="test"` switches transitions and portals off. */
export function App({ env = "default" }: { env?: "default" | "test" }) {
  useEffect(forgetDraftsWithOtherTabs, []);
  return (
    <Appearance env={env}>
      <AppRoutes />
    </Appearance>
  );
}

/** Theme and notifications alone; tests render single parts in it. */
export function Appearance({ env = "default", children }: { env?: "default" | "test"; children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto" env={env}>
      {children}
      <NotificationHost />
    </MantineProvider>
  );
}
