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
import { useLastValue } from "#web/platform/use-last-value.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import type { UrlList } from "./use-url-list.ts";
import { toCode } from "#schema/closed-list.ts";

const SavedViewDialog = lazyDialog(
  () => import("./saved-view-dialog.tsx").then((file) => file.SavedViewDialog),
  ({ edited }) => edited !== null,
);

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
  const [edited, setEdited] = useState<EditedView | null>(null);
  const [deleting, setDeleting] = useState<SavedViewFieldsFragment | null>(null);
  const views = data?.savedViews ?? [];
  const current = new URLSearchParams(toView(list.params));
  current.delete("page");
  const parameters = String(current);
  const shown = views.find((view) => view.parameters === parameters);
  const chosen = shown ?? views.find(({ id }) => id === chosenId);
  const reload = () => void refetch().catch(() => undefined);

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
              style={{ overflowWrap: "anywhere" }}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus {...icon} />}
            onClick={() => setEdited({ id: null, name: "", parameters, isDefault: false })}
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
              <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setEdited(chosen)}>
                Edit “{shortenName(chosen.name)}”
              </Menu.Item>
              <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => setDeleting(chosen)}>
                Delete “{shortenName(chosen.name)}”
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <SavedViewDialog
        list={name}
        edited={edited}
        onClose={() => setEdited(null)}
        onSaved={(id) => {
          setChosenId(id);
          reload();
        }}
      />
      <DeleteViewDialog view={deleting} onClose={() => setDeleting(null)} onSettled={reload} />
    </>
  );
}

const MAX_SHOWN = 24;

const shortenName = (name: string) => (name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN - 1)}…` : name);

function DeleteViewDialog(props: { view: SavedViewFieldsFragment | null; onClose: () => void; onSettled: () => void }) {
  const view = useLastValue(props.view);
  const [remove] = useDeleteSavedViewMutation();

  async function confirm() {
    try {
      await remove({ variables: { id: view?.id ?? "" } });
      notify.success("The view has been deleted.");
    } catch (error) {
      notify.failure(error, "Unable to delete the view.");
    }
    props.onClose();
    // Reload even after an error, because the view may have been deleted in another tab.
    props.onSettled();
  }

  return (
    <ConfirmDialog
      opened={props.view !== null}
      title="Delete view"
      confirmLabel="Delete"
      danger
      onConfirm={confirm}
      onCancel={props.onClose}
    >
      {view && `Delete the view “${view.name}”? The rows of the list aren't changed.`}
    </ConfirmDialog>
  );
}
