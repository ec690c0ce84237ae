import { attentionLists } from "#schema/attention.ts";
import { paths } from "#web/platform/paths.ts";
import { useAttentionQuery } from "#web/generated/graphql.ts";
import { CountTiles } from "#web/staff/admin/count-tiles.tsx";
import { formatCount, attentionTexts } from "./attention-texts.ts";

/** Shows the number of rows in each attention list, with a link to the list. */
export function AttentionCounts() {
  const query = useAttentionQuery();
  const counts = query.data?.attention;
  // Some lists are for some roles only.
  const lists = attentionLists.filter(({ code }) => counts?.some(({ list }) => list === code) ?? true);
  const tiles = lists.map(({ value: list, code }) => {
    const { title, hint, isCritical } = attentionTexts[list];
    const tally = counts?.find((one) => one.list === code);
    const shown = tally && formatCount(tally);
    return { title, hint, isCritical, to: paths.attention.href({ list }), count: tally?.count, shown };
  });
  return (
    <CountTiles
      title="What needs attention today"
      query={query}
      failure="Unable to count what needs attention."
      tiles={tiles}
    />
  );
}
