import { use, useState } from "react";
import { Prose } from "./prose.tsx";

const loaded = new Map<string, Promise<string>>();

export interface PageTextProps {
  /** Id of the element that holds the text; one a page. */
  id: string;
  /** Fetches the HTML, made at build time of our own Markdown. */
  load: () => Promise<string>;
  className?: string | undefined;
}

/**
 * A long text of the content. A page that arrived as HTML has it already, and scripts that held it again would double
 * its weight: there it is taken as it stands. Where the page is opened within the portal, the text is loaded.
 */
export function PageText({ id, load, className }: PageTextProps) {
  return <Prose id={id} html={usePageText(id, load)} className={className} />;
}

/** The HTML of {@link PageText}, for what is no running text; `id` is of the element that holds it. */
export function usePageText(id: string, load: PageTextProps["load"]): string {
  const [there] = useState(() => textInPage(id));
  return there ?? use(once(id, load));
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
