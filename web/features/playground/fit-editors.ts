import { type MonacoEditor, useGraphiQL } from "@graphiql/react";
import { useEffect } from "react";

const letters = () => getComputedStyle(document.documentElement).getPropertyValue("--xp-mono").trim();

/** Gives the editors the portal's letters, breaks their long lines, and names them for assistive programs. */
export function useFittedEditors(): void {
  useFitted(
    useGraphiQL((state) => state.queryEditor),
    "Query",
  );
  useFitted(
    useGraphiQL((state) => state.variableEditor),
    "Variables, JSON",
  );
  useFitted(
    useGraphiQL((state) => state.headerEditor),
    "Headers, JSON",
  );
  useFitted(
    useGraphiQL((state) => state.responseEditor),
    "Answer",
  );
}

function useFitted(editor: MonacoEditor | undefined, ariaLabel: string): void {
  useEffect(() => {
    editor?.updateOptions({
      ariaLabel,
      wordWrap: "on",
      wrappingIndent: "deepIndent",
      fontFamily: letters(),
      fontSize: 14,
      // Tab leads on, as everywhere; nobody is caught in an editor.
      tabFocusMode: true,
    });
  }, [editor, ariaLabel]);
}
