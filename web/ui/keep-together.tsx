import type { ReactNode } from "react";

/** Returns a heading whose line doesn't end at the hyphen of "add-in". */
export function keepTogether(heading: string): ReactNode {
  const parts = heading.split(/(add-ins?)/i);
  if (parts.length === 1) return heading;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a heading never move
      <span key={index} data-break="never">
        {part}
      </span>
    ),
  );
}
