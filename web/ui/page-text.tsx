import { use, useState } from "react";
import { Prose } from "./prose.tsx";

const loaded = new Map<string, Promise<string>>();

export interface PageTextProps {
  /** Id of the element that contains the text. Only one per page. */
  id: string;
  /** Loads the HTML that the build creates from our own Markdown. */
  load: () => Promise<string>;
  className?: string | undefined;
}

/**
 * A long text from the content files. A prerendered page already contains the HTML, so including it in the scripts as
 * well would double the size of the page. The text is loaded only when the user navigates to the page within the
 * portal.
 */
export function PageText({ id, load, className }: PageTextProps) {
  return <Prose id={id} html={usePageText(id, load)} className={className} />;
}

/** Returns the HTML of {@link PageText} for content that isn't prose. `id` is the id of the element that contains it. */
export function usePageText(id: string, load: PageTextProps["load"]): string {
  const [prerendered] = useState(() => textInPage(id));
  return prerendered ?? use(once(id, load));
}

function textInPage(id: string): string | null {
  return typeof document === "undefined" ? null : (document.getElementById(id)?.innerHTML ?? null);
}

function once(id: string, load: () => Promise<string>): Promise<string> {
  const text = loaded.get(id) ?? load();
  loaded.set(id, text);
  text.catch(() => loaded.delete(id));
  return text;
}
