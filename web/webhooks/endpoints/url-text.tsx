import { Fragment } from "react";

/** An address that breaks between its parts where it is longer than its line, and is copied whole. */
export function UrlText({ url }: { url: string }) {
  const parts = url.split(/(?<=[^/:]\/|[?&])/);
  return parts.map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts have nothing but their place
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
