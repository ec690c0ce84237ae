import { Paper, Stack, Title } from "@mantine/core";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { useSoftwareChannelsQuery } from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import type { BuildAction } from "./build-action-dialog.tsx";
import { BuildsTable } from "./builds-table.tsx";
import { ChannelCards } from "./channel-cards.tsx";
import { UploadForm } from "./upload-form.tsx";
import type { UploadedBuild } from "./use-upload.ts";
import { type Build, useBuilds } from "./use-builds.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page where staff upload, publish and withdraw builds of the add-in. */
export default function ManageSoftwarePage() {
  return (
    <PageLayout
      title={paths.manageSoftware.title}
      lead="Upload a build, then publish it to offer it in its stage."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <ManageSoftware />
    </PageLayout>
  );
}

/** The upload form, the stages with their offered builds, and the table of all builds. */
function ManageSoftware() {
  const query = useSoftwareChannelsQuery();
  const list = useBuilds();
  const openDialog = useOpenDialog();
  const showDetails = (build: Build) => openDialog(() => import("./build-details-dialog.tsx"), { build });
  useRequestedAction(
    {
      details: (id) => {
        const build = list.builds?.find((one) => one.id === id);
        if (build) showDetails(build);
      },
    },
    list.isComplete,
  );
  const channels = query.data?.softwareChannels;
  const reloadChannels = () => void query.refetch().catch(() => undefined);

  function reload() {
    reloadChannels();
    void list.reload();
  }

  // A new upload isn't in the list yet.
  const isWaiting = (id: string) => (list.builds?.find((build) => build.id === id)?.state ?? "UPLOADED") === "UPLOADED";

  function openQuestion(kind: BuildAction["kind"], build: BuildAction["build"]) {
    const question = { kind, build, channel: channels?.find(({ stage }) => stage === build.stage) };
    openDialog(() => import("./build-action-dialog.tsx"), { question, onSettled: reload });
  }

  const enterVersion = (build: { id: string; fileName?: string }) =>
    openDialog(() => import("./build-version-dialog.tsx"), { build, onSaved: reload });

  function publishUpload(uploaded: UploadedBuild) {
    const build = list.builds?.find(({ id }) => id === uploaded.id);
    if (!(build ?? uploaded).version) return enterVersion(build ?? uploaded);
    openQuestion(build?.publishingStep === "REQUEST" ? "request" : "publish", build ?? uploaded);
  }

  return (
    <Stack gap="xl">
      <ForStaffRole has="release">
        <Paper withBorder radius="lg" shadow="sm" p={{ base: "md", sm: "lg" }}>
          <UploadForm isWaiting={isWaiting} onSettled={reload} onPublish={publishUpload} />
        </Paper>
      </ForStaffRole>
      <section aria-labelledby="stages">
        <Title order={2} id="stages" fz="1.25rem" mb="md">
          Offered builds
        </Title>
        <Loaded query={query} failure="Unable to load the stages." loading="Loading the stages">
          {({ softwareChannels }) => (
            <ChannelCards
              channels={softwareChannels}
              onEditMinimum={(channel) =>
                openDialog(() => import("./minimum-version-dialog.tsx"), { channel, onSaved: reloadChannels })
              }
              onRollBack={({ offered }) => offered && openQuestion("roll-back", offered)}
            />
          )}
        </Loaded>
      </section>
      <section aria-labelledby="builds">
        <Title order={2} id="builds" fz="1.25rem" mb="md">
          Builds
        </Title>
        <DefaultView list="builds">
          {(view) => (
            <BuildsTable
              list={list}
              onAsk={openQuestion}
              onEnterVersion={enterVersion}
              onDetails={showDetails}
              view={view}
            />
          )}
        </DefaultView>
      </section>
    </Stack>
  );
}
