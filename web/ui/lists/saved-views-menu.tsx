import { Button, Menu, Text } from "@mantine/core";
import {
  IconBookmark,
  IconCheck,
  IconDeviceFloppy,
  IconPencil,
  IconPlus,
  type IconProps,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { type ViewedList, viewedLists } from "#schema/saved-view.ts";
import {
  type SavedViewFieldsFragment,
  useDeleteSavedViewMutation,
  useSavedViewsQuery,
  useUpdateSavedViewMutation,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import type { UrlList } from "./use-url-list.ts";
import { toCode } from "#schema/closed-list.ts";

/** A view to name: a saved one, or a new one without ID. */
export type EditedView = Omit<SavedViewFieldsFragment, "id"> & { id: string | null };

export interface SavedViewsProps {
  name: ViewedList;
  list: UrlList;
  /** Converts the list's URL parameters to the parameters to save. */
  toView?: (params: URLSearchParams) => URLSearchParams;
}

const icon = { size: 17, stroke: 1.8, "aria-hidden": true } satisfies IconProps;

/** Menu of the user's saved views of a list: opens, saves, renames and deletes them. */
export default function SavedViewsMenu({ name, list, toView = (params) => params }: SavedViewsProps) {
  const { data, refetch } = useSavedViewsQuery({ variables: { list: toCode(viewedLists, name) } });
  const [update] = useUpdateSavedViewMutation();
  const [chosenId, setChosenId] = useState<string | null>(null);
  const openDialog = useOpenDialog();
  const [deleteView] = useDeleteSavedViewMutation();
  const views = data?.savedViews ?? [];
  const current = new URLSearchParams(toView(list.params));
  current.delete("page");
  const parameters = String(current);
  const shown = views.find((view) => view.parameters === parameters);
  const chosen = shown ?? views.find(({ id }) => id === chosenId);
  const reload = () => void refetch().catch(() => undefined);

  const edit = (edited: EditedView) =>
    openDialog(() => import("./saved-view-dialog.tsx"), {
      list: name,
      edited,
      onSaved: (id) => {
        setChosenId(id);
        reload();
      },
    });

  const remove = (view: SavedViewFieldsFragment) =>
    confirmAction({
      title: "Delete view",
      confirmLabel: "Delete",
      danger: true,
      text: `Delete the view “${view.name}”? The rows of the list aren't changed.`,
      run: () => deleteView({ variables: { id: view.id } }),
      success: "The view has been deleted.",
      failure: "Unable to delete the view.",
      // Even after an error, because the view may have been deleted in another tab.
      onSettled: reload,
    });

  async function replace(view: SavedViewFieldsFragment) {
    try {
      const { id, name: viewName, isDefault } = view;
      await update({ variables: { id, input: { name: viewName, isDefault, parameters } } });
      notify.success(`The view “${viewName}” has been updated.`);
    } catch (error) {
      notify.failure(error, "Unable to update the view.");
    }
  }

  return (
    <>
      <Menu position="bottom-end" withinPortal={false} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            px="sm"
            leftSection={<IconBookmark size={18} stroke={1.7} aria-hidden="true" />}
          >
            {shown ? `View: ${shortenName(shown.name)}` : "Views"}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Views" maw="min(22rem, 90vw)" mah="24rem" style={{ overflowY: "auto" }}>
          {views.length === 0 && (
            <Text c="dimmed" fz="sm" px="sm" py="xs">
              No saved views. Save the current search, filter, order and columns under a name.
            </Text>
          )}
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              leftSection={view === shown ? <IconCheck {...icon} /> : <IconBookmark {...icon} />}
              rightSection={
                view.isDefault && (
                  <Text c="dimmed" fz="xs">
                    Default
                  </Text>
                )
              }
              onClick={() => {
                setChosenId(view.id);
                list.apply(new URLSearchParams(view.parameters));
              }}
              data-break="anywhere"
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus {...icon} />}
            onClick={() => edit({ id: null, name: "", parameters, isDefault: false })}
          >
            Save current view
          </Menu.Item>
          {chosen && chosen !== shown && (
            <Menu.Item leftSection={<IconDeviceFloppy {...icon} />} onClick={() => void replace(chosen)}>
              Update “{shortenName(chosen.name)}”
            </Menu.Item>
          )}
          {chosen && (
            <>
              <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => edit(chosen)}>
                Edit “{shortenName(chosen.name)}”
              </Menu.Item>
              <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => remove(chosen)}>
                Delete “{shortenName(chosen.name)}”
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

const MAX_SHOWN = 24;

const shortenName = (name: string) => (name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN - 1)}…` : name);
