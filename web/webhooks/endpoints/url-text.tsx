import { Fragment } from "react";

/** A URL that can wrap between its parts and is still copied correctly. */
export function UrlText({ url }: { url: string }) {
  const parts = url.split(/(?<=[^/:]\/|[?&])/);
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts are identified only by their position
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
