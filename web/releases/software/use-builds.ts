import { useEffect, useRef } from "react";
import { type SoftwareBuildFieldsFragment, useSoftwareBuildsQuery } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { messageOf } from "#web/platform/server-error.ts";

/** A build as the screen shows it. */
export type Build = SoftwareBuildFieldsFragment;

/** Builds fetched at once; of more fields than this allows, the api would refuse the question as too costly. */
const PART = 40;

/** Every build, the last uploaded first. There are few of them, so all are fetched, part by part, and searched here. */
export function useBuilds() {
  const { data, error, refetch, fetchMore } = useSoftwareBuildsQuery({ variables: { first: PART } });
  const page = data?.softwareBuilds;
  const asked = useRef<string | null>(null);
  const after = page?.hasMore ? page.endCursor : null;

  useEffect(() => {
    if (!after || asked.current === after) return;
    asked.current = after;
    fetchMore({
      variables: { after },
      updateQuery: (shown, { fetchMoreResult: { softwareBuilds: older } }) => ({
        softwareBuilds: { ...older, rows: [...shown.softwareBuilds.rows, ...older.rows] },
      }),
    }).catch((failure: unknown) => notify.failure(failure, "Unable to load the older builds."));
  }, [after, fetchMore]);

  return {
    builds: page?.rows,
    error: error && !data ? messageOf(error, "Unable to load the builds.") : undefined,
    reload: async () => {
      asked.current = null;
      await refetch().catch(() => undefined);
    },
  };
}
