import { Button } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { Suspense } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { SavedViewsProps } from "./saved-views-menu.tsx";

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
