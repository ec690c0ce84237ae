import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  MantineProvider,
} from "@mantine/core";
import { type ReactNode, use } from "react";
import { useColourScheme } from "#web/platform/colour-scheme.ts";
import { InTest } from "#web/platform/in-test.ts";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import form from "#web/ui/form/form.module.css";

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

/** Returns the ten shades of a colour, from light to dark. */
const toShades = (shades: string) => shades.split(" ") as unknown as MantineColorsTuple;

const colors = {
  spruce: toShades("#e9f7f3 #d1ebe2 #a3dccb #6fc7af #3fb095 #1e967b #0e7d66 #0a6654 #074c3e #063d33"),
  marigold: toShades("#fff7e3 #fdf1d6 #fbe0a5 #f9ce70 #f7be43 #f0a202 #c98500 #9b6500 #7a4b00 #5a3700"),
  red: toShades("#fdf2f1 #fcebe9 #f7c8c4 #f1a29c #ea7a72 #d6453d #c22f2b #a52521 #861d1a #5f1311"),
  gray: toShades("#f6f8f7 #edf2f0 #dbe3e0 #c3ceca #a3b2ad #7c8f89 #5c6f6a #4c5f5a #2b3c38 #10201d"),
  dark: toShades("#e6efeb #a9b9b3 #8fa19b #66796f #24342f #182420 #121c19 #0c1412 #0a100e #070d0b"),
};

/** Mantine's theme. Values that depend on the colour scheme are in tokens.css. */
const theme = createTheme({
  colors,
  primaryColor: "spruce",
  primaryShade: { light: 6, dark: 4 },
  black: "#10201d",
  white: "#ffffff",
  fontFamily: "var(--xp-font)",
  fontFamilyMonospace: "var(--xp-mono)",
  headings: {
    fontFamily: "var(--xp-font)",
    fontWeight: "640",
    sizes: {
      h1: { fontSize: "clamp(1.75rem, 1.35rem + 1.6vw, 2.375rem)", lineHeight: "1.12" },
      h2: { fontSize: "clamp(1.3125rem, 1.15rem + 0.7vw, 1.625rem)", lineHeight: "1.2" },
      h3: { fontSize: "1.125rem", lineHeight: "1.3" },
      h4: { fontSize: "1rem", lineHeight: "1.35" },
    },
  },
  fontSizes: { xs: "0.8125rem", sm: "0.875rem", md: "1rem", lg: "1.125rem", xl: "1.375rem" },
  lineHeights: { xs: "1.45", sm: "1.5", md: "1.6", lg: "1.6", xl: "1.5" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2.5rem" },
  radius: { xs: "3px", sm: "6px", md: "8px", lg: "12px", xl: "18px" },
  defaultRadius: "md",
  // Text on filled buttons is dark in the dark colour scheme.
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === "filled" && {
      color: input.color === "red" ? "var(--xp-on-critical-fill)" : "var(--xp-on-brand-fill)",
    }),
  }),
  shadows: {
    xs: "var(--xp-shadow-sm)",
    sm: "var(--xp-shadow-sm)",
    md: "var(--xp-shadow-md)",
    lg: "var(--xp-shadow-lg)",
    xl: "var(--xp-shadow-lg)",
  },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Alert: {
      defaultProps: { radius: "lg" },
      styles: {
        icon: { marginTop: "0.125rem" },
        message: { color: "inherit", fontSize: "var(--mantine-font-size-md)", overflowWrap: "anywhere" },
      },
    },
    Badge: {
      // Badges also appear in paragraphs, which can't contain a `div`.
      defaultProps: { component: "span", variant: "light", tt: "none", fw: 620, size: "lg" },
      // Keeps its text whole next to a long name, where Mantine would cut it.
      styles: { root: { verticalAlign: "middle", minWidth: "max-content" } },
    },
    Paper: { styles: { root: { "--paper-border-color": "var(--xp-line)" } } },
    Code: { styles: { root: { "--code-bg": "var(--mantine-color-gray-light)" } } },
    Divider: { defaultProps: { color: "var(--xp-line)" } },
    Card: {
      defaultProps: { withBorder: true, radius: "lg" },
      styles: { section: { "--border-color": "var(--xp-line)" } },
    },
    Button: {
      // As large as the submit buttons of forms.
      defaultProps: { fw: 600, size: "md" },
      vars: (_: unknown, { size }: { size?: string }) => ({
        root: size === "md" ? { "--button-fz": "0.9375rem" } : {},
      }),
    },
    Checkbox: {
      defaultProps: { size: "md", iconColor: "var(--xp-on-brand-fill)" },
      classNames: { input: form.check, description: form.hint, error: form.error },
    },
    // As in the fields of public forms.
    ComboboxChevron: { styles: { chevron: { width: "1.125rem", height: "1.125rem", color: "var(--xp-muted)" } } },
    Radio: { defaultProps: { iconColor: "var(--xp-on-brand-fill)" }, classNames: { radio: form.check } },
    Fieldset: { defaultProps: { variant: "unstyled", mx: 0 }, classNames: { legend: form.label } },
    Input: { defaultProps: { size: "md" }, classNames: { wrapper: form.wrapper, input: form.input } },
    InputWrapper: {
      defaultProps: { withAsterisk: false },
      classNames: { root: form.field, label: form.label, description: form.hint, error: form.error },
    },
    ModalRoot: { defaultProps: { radius: "lg" } },
    Menu: { defaultProps: { shadow: "lg" } },
    // Visible in forced colours, which replace the others.
    SegmentedControl: { styles: { indicator: { outline: "2px solid transparent", outlineOffset: -2 } } },
    Table: {
      defaultProps: {
        verticalSpacing: "0.6875rem",
        horizontalSpacing: "md",
        borderColor: "var(--xp-line)",
        highlightOnHoverColor: "color-mix(in srgb, var(--xp-sunken) 55%, transparent)",
      },
    },
  },
});

/** Maps Mantine's variables to the tokens. */
const cssVariablesResolver: CSSVariablesResolver = () => {
  const scheme = {
    "--mantine-color-body": "var(--xp-surface)",
    "--mantine-color-text": "var(--xp-ink)",
    "--mantine-color-bright": "var(--xp-ink)",
    "--mantine-color-dimmed": "var(--xp-muted)",
    "--mantine-color-placeholder": "var(--xp-faint)",
    "--mantine-color-anchor": "var(--xp-brand)",
    "--mantine-color-error": "var(--xp-critical)",
    "--mantine-color-success": "var(--xp-brand)",
    "--mantine-color-default": "var(--xp-surface)",
    "--mantine-color-default-hover": "var(--xp-sunken)",
    "--mantine-color-default-color": "var(--xp-ink)",
    "--mantine-color-default-border": "var(--xp-line)",
    "--mantine-color-disabled": "var(--xp-sunken)",
    "--mantine-color-disabled-color": "var(--xp-faint)",
    "--mantine-color-disabled-border": "var(--xp-line)",
    "--mantine-primary-color-filled": "var(--xp-brand-fill)",
    "--mantine-primary-color-filled-hover": "var(--xp-brand-fill-hover)",
    "--mantine-primary-color-contrast": "var(--xp-on-brand-fill)",
    "--mantine-color-gray-light": "light-dark(var(--xp-sunken), var(--xp-line))",
    "--mantine-color-gray-light-color": "var(--xp-muted)",
    "--mantine-color-spruce-light": "var(--xp-brand-soft)",
    "--mantine-color-spruce-light-hover": "var(--xp-brand-soft-hover)",
    "--mantine-color-spruce-light-color": "var(--xp-on-brand-soft)",
    "--mantine-color-marigold-light": "var(--xp-accent-soft)",
    "--mantine-color-marigold-light-color": "var(--xp-on-accent-soft)",
    "--mantine-color-red-light": "var(--xp-critical-soft)",
    "--mantine-color-red-light-color": "var(--xp-on-critical-soft)",
    "--mantine-color-red-filled": "var(--xp-critical-fill)",
    "--mantine-color-red-filled-hover": "var(--xp-critical-fill-hover)",
    "--mantine-color-spruce-filled": "var(--xp-brand-fill)",
    "--mantine-color-spruce-filled-hover": "var(--xp-brand-fill-hover)",
  };
  return { variables: {}, light: scheme, dark: scheme };
};
