import { Button, Group, Paper, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { SavedViewsProps } from "./saved-views-menu.tsx";
import { useSearchParams } from "react-router-dom";
import { type ViewedList, viewedLists } from "#schema/saved-view.ts";
import { useSavedViewsQuery } from "#web/generated/graphql.ts";
import { pickListParams } from "./list-place.ts";
import { toCode } from "#schema/closed-list.ts";

const SavedViewsMenu = lazyPart<SavedViewsProps>(() => import("./saved-views-menu.tsx"), "nothing");

/** Menu of the user's saved views of a list. Loads after the list, because the rows are more urgent. */
export function SavedViews(props: SavedViewsProps) {
  const waiting = (
    <Button
      variant="default"
      size="sm"
      px="sm"
      disabled
      leftSection={<IconBookmark size={18} stroke={1.7} aria-hidden="true" />}
    >
      Views
    </Button>
  );
  return (
    <Suspense fallback={waiting}>
      <SavedViewsMenu {...props} />
    </Suspense>
  );
}

interface DefaultViewProps {
  list: ViewedList;
  /** Names of the URL parameters that filter the list. */
  filters?: readonly string[];
  /** Renders the list with the parameters of the default view, or null if the list opens without one. */
  children: (view: URLSearchParams | null) => ReactNode;
}

/** Opens a list with the user's default view if the URL has no parameters of the list. */
export function DefaultView({ list, filters = [], children }: DefaultViewProps) {
  const [params] = useSearchParams();
  const [isBare] = useState(() => pickListParams(params, filters).size === 0);
  const { data, loading } = useSavedViewsQuery({ variables: { list: toCode(viewedLists, list) }, skip: !isBare });
  if (loading && !data) return <LoadingList />;
  const view = data?.savedViews.find(({ isDefault }) => isDefault);
  return children(view ? new URLSearchParams(view.parameters) : null);
}

const PLACEHOLDERS = ["1", "2", "3", "4", "5"];

/** A placeholder in the shape of a list, whose search and table then take its place. */
function LoadingList() {
  return (
    <Stack gap="sm" aria-busy>
      <VisuallyHidden component="progress" aria-label="Loading the list" />
      <Group justify="space-between" gap="sm">
        <Skeleton height={36} radius="md" w={{ base: "100%", sm: "20rem" }} />
        <Skeleton height={36} radius="md" w="12rem" />
      </Group>
      <Paper withBorder radius="lg" px="md" style={{ borderColor: "var(--xp-line)" }}>
        {PLACEHOLDERS.map((row) => (
          <Skeleton key={row} height={12} width={row === "1" ? "40%" : "90%"} my={18} />
        ))}
      </Paper>
    </Stack>
  );
}
