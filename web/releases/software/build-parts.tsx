import { ActionIcon, Badge, Code, Group, type MantineColor } from "@mantine/core";
import {
  type SoftwareBuildFieldsFragment,
  type SoftwareBuildState,
  useSoftwareBuildsQuery,
} from "#web/generated/graphql.ts";
import { IconCopy } from "@tabler/icons-react";
import { copyText } from "#web/ui/copy-button.tsx";
import { useEffect, useRef } from "react";
import { notify } from "#web/platform/notifications.ts";

const states: Record<SoftwareBuildState, { label: string; color: MantineColor }> = {
  UPLOADED: { label: "Draft", color: "marigold" },
  OFFERED: { label: "Offered", color: "spruce" },
  PUBLISHED: { label: "Published", color: "gray" },
  WITHDRAWN: { label: "Withdrawn", color: "red" },
};

export const labelState = (state: SoftwareBuildState): string => states[state].label;

export function BuildBadge({ state }: { state: SoftwareBuildState }) {
  const { label, color } = states[state];
  return <Badge color={color}>{label}</Badge>;
}

/** Shortened SHA-256 of a file, with a button to copy it in full. */
export function Checksum({ sha256, of }: { sha256: string; of: string }) {
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap">
      <Code title={sha256}>{sha256.slice(0, 12)}…</Code>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Copy SHA-256 of ${of}`}
        onClick={() => void copyText(sha256, "SHA-256 has been copied to clipboard.")}
      >
        <IconCopy size={16} stroke={1.8} aria-hidden="true" />
      </ActionIcon>
    </Group>
  );
}

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
