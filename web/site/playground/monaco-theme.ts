import { useMonaco } from "@graphiql/react";
import { useLayoutEffect } from "react";
import type { ColourScheme } from "#web/platform/colour-scheme.ts";

const useEditors = () => useMonaco((state) => state.monaco);
type ThemeData = Parameters<NonNullable<ReturnType<typeof useEditors>>["editor"]["defineTheme"]>[1];

export const editorThemes = { light: "xer-light", dark: "xer-dark" } as const;

/** Colours from tokens.css, which Monaco can't read. Text colours have a contrast of at least 4.5:1 on `raised` and on the page. */
const colours = {
  light: {
    ink: "#10201d",
    faint: "#5c6f6a",
    keyword: "#0a6654",
    type: "#7a4b00",
    text: "#a5231f",
    number: "#2456a6",
    argument: "#5b3fb0",
    variable: "#8a2d7a",
    raised: "#ffffff",
    line: "#dbe3e0",
    chosen: "#e1f3ed",
    selection: "#d1ebe2",
  },
  dark: {
    ink: "#e6efeb",
    faint: "#8fa19b",
    keyword: "#4fd0b0",
    type: "#ffcf75",
    text: "#ffb8b1",
    number: "#7fb0f5",
    argument: "#b9a6ff",
    variable: "#f0a6e0",
    raised: "#182420",
    line: "#24342f",
    chosen: "#12352c",
    selection: "#1d5a4b",
  },
} satisfies Record<ColourScheme, Record<string, string>>;

function buildTheme(scheme: ColourScheme): ThemeData {
  const colour = colours[scheme];
  const rule = (token: string, name: keyof typeof colour) => ({ token, foreground: colour[name].slice(1) });
  return {
    base: scheme === "dark" ? "vs-dark" : "vs",
    inherit: true,
    rules: [
      rule("", "ink"),
      rule("comment", "faint"),
      rule("keyword", "keyword"),
      rule("type.identifier", "type"),
      rule("string", "text"),
      rule("string.key.json", "keyword"),
      rule("string.value.json", "text"),
      rule("number", "number"),
      rule("keyword.json", "number"),
      rule("argument.identifier", "argument"),
      rule("key.identifier", "ink"),
      rule("annotation", "variable"),
      rule("variable", "variable"),
      rule("delimiter", "faint"),
      rule("operator", "faint"),
    ],
    colors: {
      "editor.background": "#ffffff00",
      "editor.foreground": colour.ink,
      "editorLineNumber.foreground": colour.faint,
      "editorLineNumber.activeForeground": colour.keyword,
      "editor.selectionBackground": colour.selection,
      "editor.inactiveSelectionBackground": colour.chosen,
      "editorCursor.foreground": colour.keyword,
      "editorWidget.background": colour.raised,
      "editorWidget.border": colour.line,
      "editorHoverWidget.background": colour.raised,
      "editorHoverWidget.border": colour.line,
      "editorSuggestWidget.background": colour.raised,
      "editorSuggestWidget.border": colour.line,
      "editorSuggestWidget.foreground": colour.ink,
      "editorSuggestWidget.highlightForeground": colour.keyword,
      "editorSuggestWidget.focusHighlightForeground": colour.keyword,
      "editorSuggestWidget.selectedBackground": colour.chosen,
      "editorSuggestWidget.selectedForeground": colour.ink,
      "quickInput.background": colour.raised,
      "quickInputList.focusBackground": colour.chosen,
      "quickInputList.focusForeground": colour.ink,
      "list.hoverBackground": colour.chosen,
      "list.highlightForeground": colour.keyword,
      "list.focusHighlightForeground": colour.keyword,
      "menu.background": colour.raised,
      "menu.foreground": colour.ink,
      "menu.selectionBackground": colour.chosen,
      "menu.selectionForeground": colour.ink,
      "textLink.foreground": colour.keyword,
      "textLink.activeForeground": colour.keyword,
      focusBorder: colour.keyword,
      "scrollbar.shadow": "#ffffff00",
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((level) => [`editorBracketHighlight.foreground${level}`, colour.faint]),
      ),
    },
  };
}

/** Applies the portal's colours to the editors before the first one is created. */
export function usePortalColours(scheme: ColourScheme): void {
  const monaco = useEditors();
  useLayoutEffect(() => {
    if (!monaco) return;
    monaco.editor.defineTheme(editorThemes.light, buildTheme("light"));
    monaco.editor.defineTheme(editorThemes.dark, buildTheme("dark"));
  }, [monaco]);
  useLayoutEffect(() => monaco?.editor.setTheme(editorThemes[scheme]), [monaco, scheme]);
}
