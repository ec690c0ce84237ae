import { MantineProvider } from "@mantine/core";
import { type ReactNode, use } from "react";
import { useColourScheme } from "#web/platform/colour-scheme.ts";
import { InTest } from "#web/platform/in-test.ts";
import { cssVariablesResolver, theme } from "./theme.ts";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";

/** Provides Mantine with the brand's theme. Public pages load it with their first dialog. */
export function PortalTheme({ children }: { children: ReactNode }) {
  const scheme = useColourScheme();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={scheme}
      env={use(InTest) ? "test" : "default"}
    >
      {children}
    </MantineProvider>
  );
}
