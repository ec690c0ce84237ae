import { useEffect, useRef } from "react";
import { type SoftwareBuildFieldsFragment, useSoftwareBuildsQuery } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";

/** A build as shown on the page. */
export type Build = SoftwareBuildFieldsFragment;

/** Builds per request, limited by the query cost limit of the API. */
const PAGE_SIZE = 40;

/** Loads all builds page by page, newest upload first. There are few, so the table searches them in the browser. */
export function useBuilds() {
  const { data, error, refetch, fetchMore } = useSoftwareBuildsQuery({ variables: { first: PAGE_SIZE } });
  const page = data?.softwareBuilds;
  const requestedCursor = useRef<string | null>(null);
  const after = page?.endCursor;

  useEffect(() => {
    if (!after || requestedCursor.current === after) return;
    requestedCursor.current = after;
    fetchMore({
      variables: { after },
      updateQuery: (loaded, { fetchMoreResult: { softwareBuilds: older } }) => ({
        softwareBuilds: { ...older, rows: [...loaded.softwareBuilds.rows, ...older.rows] },
      }),
    }).catch((failure: unknown) => notify.failure(failure, "Unable to load the older builds."));
  }, [after, fetchMore]);

  return {
    builds: page?.rows,
    /** Set once every page has been loaded. */
    isComplete: page?.endCursor === null,
    error: data ? undefined : error,
    reload: async () => {
      requestedCursor.current = null;
      await refetch().catch(() => undefined);
    },
  };
}
