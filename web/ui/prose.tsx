import { useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { isPortalPage } from "./content-link.tsx";
import classes from "./prose.module.css";

/**
 * Prose from the content files: HTML that the build creates from our own Markdown, which can't contain HTML. Its links
 * to pages of the portal open without a reload.
 */
export function Prose({ html, id, className }: { html: string; id?: string; className?: string | undefined }) {
  const text = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();

  useEffect(() => {
    const element = text.current;
    const open = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlainClick || event.defaultPrevented) return;
      const to = link.getAttribute("href") ?? "";
      if (!isPortalPage(to)) return;
      event.preventDefault();
      void navigate(to);
    };
    element?.addEventListener("click", open);
    return () => element?.removeEventListener("click", open);
  }, [navigate]);

  return (
    <div
      ref={text}
      id={id}
      className={className ? `${classes.prose} ${className}` : classes.prose}
      // eslint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
