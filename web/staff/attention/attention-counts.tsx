import { Link } from "react-router-dom";
import { attentionLists } from "#schema/attention-lists.ts";
import { paths } from "#web/platform/paths.ts";
import { useAttentionQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { formatError } from "#web/platform/server-error.ts";
import classes from "./attention-counts.module.css";
import { formatCount, attentionTexts } from "./attention-texts.ts";

/** Shows the number of rows in each attention list, with a link to the list. */
export function AttentionCounts() {
  const { data, error, refetch } = useAttentionQuery();
  return (
    <section aria-labelledby="attention-title" aria-busy={(!data && !error) || undefined}>
      <h2 id="attention-title" className={classes.title}>
        What needs attention today
      </h2>
      {error && !data ? (
        <p className={classes.failure} role="alert">
          {formatError(error, "Unable to count what needs attention.")}{" "}
          <Button variant="default" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <ul className={classes.numbers}>
          {attentionLists.map((list) => {
            const { title, hint, isCritical } = attentionTexts[list];
            const tally = data?.attention.find((one) => one.list === list);
            return (
              <li key={list}>
                <Link
                  className={classes.number}
                  to={paths.attention.href({ list })}
                  data-tone={tally && tally.count > 0 ? (isCritical ? "critical" : "notice") : "calm"}
                >
                  <b>{tally ? formatCount(tally) : <span className={classes.waiting}>…</span>}</b>{" "}
                  <span className={classes.name}>{title}</span> <span className={classes.hint}>{hint}</span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
