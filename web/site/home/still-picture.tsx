import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";

/**
 * Static decorative picture. In a prerendered page, the client keeps the existing HTML and loads nothing. After navigation
 * within the site, it renders `children`, which must be a lazy component. `className` must set the size.
 */
export function StillPicture({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  // Reserves the space of a picture that has not loaded.
  const look = { className, style: { contain: "layout" } };
  const [isDrawn, setDrawn] = useState<boolean>(import.meta.env.SSR);
  useEffect(() => {
    if (!place.current?.firstChild) setDrawn(true);
  }, []);
  if (isDrawn)
    return (
      <div key="drawn" {...look}>
        <Suspense>{children}</Suspense>
      </div>
    );
  return (
    <div
      ref={place}
      {...look}
      // React doesn't compare or change the content.
      suppressHydrationWarning
      // eslint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}
