import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
// Named here because the pictures, which are made of it, load late or never.
import pictures from "#web/ui/pictures/pictures.module.css";

/**
 * Holds ornaments that the page brought along as HTML and that never change: the client leaves them as they stand and
 * loads nothing to draw them again. They are drawn where a person comes from another page of the portal. The place needs
 * measures of its own (`className`), and the picture inside is a lazy component.
 */
export function StillPicture({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const look = `${pictures.place} ${className ?? ""}`;
  const [isDrawn, setDrawn] = useState<boolean>(import.meta.env.SSR);
  useEffect(() => {
    if (!place.current?.firstChild) setDrawn(true);
  }, []);
  if (isDrawn)
    return (
      <div key="drawn" className={look}>
        <Suspense>{children}</Suspense>
      </div>
    );
  return (
    <div
      ref={place}
      className={look}
      // React neither compares nor touches what is inside.
      suppressHydrationWarning
      // eslint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}
