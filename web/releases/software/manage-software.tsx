import { Paper, Stack, Title } from "@mantine/core";
import { useState } from "react";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { type SoftwareChannelFieldsFragment, useSoftwareChannelsQuery } from "#web/generated/graphql.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
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

type Channel = SoftwareChannelFieldsFragment;

const BuildQuestion = lazyDialog(
  () => import("./build-action-dialog.tsx").then((file) => file.BuildActionDialog),
  ({ question }) => question !== null,
);
const BuildDetailsDialog = lazyDialog(
  () => import("./build-details-dialog.tsx").then((file) => file.BuildDetailsDialog),
  ({ build }) => build !== null,
);
const MinimumVersionDialog = lazyDialog(
  () => import("./minimum-version-dialog.tsx").then((file) => file.MinimumVersionDialog),
  ({ channel }) => channel !== null,
);

const BuildVersionDialog = lazyDialog(
  () => import("./build-version-dialog.tsx").then((file) => file.BuildVersionDialog),
  ({ build }) => build !== null,
);

/** The upload form, the stages with their offered builds, and the table of all builds. */
function ManageSoftware() {
  const query = useSoftwareChannelsQuery();
  const list = useBuilds();
  const [question, setQuestion] = useState<BuildAction | null>(null);
  const [shown, setShown] = useState<Build | null>(null);
  const [unversioned, setUnversioned] = useState<{ id: string; fileName?: string } | null>(null);
  const [limited, setLimited] = useState<Channel | null>(null);
  useRequestedAction(
    {
      details: (id) => {
        const build = list.builds?.find((one) => one.id === id);
        if (build) setShown(build);
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
    setQuestion({ kind, build, channel: channels?.find(({ stage }) => stage === build.stage) });
  }

  function publishUpload(uploaded: UploadedBuild) {
    const build = list.builds?.find(({ id }) => id === uploaded.id);
    if (!(build ?? uploaded).version) return setUnversioned(build ?? uploaded);
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
              onEditMinimum={setLimited}
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
              onEnterVersion={setUnversioned}
              onDetails={setShown}
              view={view}
            />
          )}
        </DefaultView>
      </section>
      <BuildQuestion question={question} onClose={() => setQuestion(null)} onSettled={reload} />
      <BuildDetailsDialog build={shown} onClose={() => setShown(null)} />
      <BuildVersionDialog build={unversioned} onClose={() => setUnversioned(null)} onSaved={reload} />
      <MinimumVersionDialog channel={limited} onClose={() => setLimited(null)} onSaved={reloadChannels} />
    </Stack>
  );
}
