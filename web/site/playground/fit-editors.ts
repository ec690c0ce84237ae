import { type MonacoEditor, useGraphiQL } from "@graphiql/react";
import { useEffect } from "react";

const letters = () => getComputedStyle(document.documentElement).getPropertyValue("--xp-mono").trim();

/** Gives the editors the portal's letters, breaks their long lines, and names them for assistive programs. */
export function useFittedEditors(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    headerEditor: state.headerEditor,
    responseEditor: state.responseEditor,
  }));
  useFitted(queryEditor, "Query");
  useFitted(variableEditor, "Variables, JSON");
  useFitted(headerEditor, "Headers, JSON");
  useFitted(responseEditor, "Answer");
}

function useFitted(editor: MonacoEditor | undefined, ariaLabel: string): void {
  useEffect(() => {
    if (!editor) return;
    const wrapping = { wordWrap: "on", wrappingIndent: "deepIndent" } as const;
    editor.updateOptions({ ariaLabel, ...wrapping, renderFinalNewline: "on", fontFamily: letters(), fontSize: 14 });
    // Tab leads on, as everywhere: nobody who uses keys is caught in an editor. A suggestion is still taken with it.
    const leaving = editor.onKeyDown(({ browserEvent }) => {
      if (browserEvent.key !== "Tab" || editor.getDomNode()?.querySelector(".suggest-widget.visible")) return;
      browserEvent.stopPropagation();
    });
    return () => leaving.dispose();
  }, [editor, ariaLabel]);
}
