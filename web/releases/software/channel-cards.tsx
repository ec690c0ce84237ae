import { IconArrowBackUp, IconDownload, IconPencil } from "@tabler/icons-react";
import { useId } from "react";
import { formatFileSize, formatNumber } from "#schema/numbers.ts";
import { SoftwareStage } from "#schema/catalogue.ts";
import type { SoftwareChannelFieldsFragment } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { formatDate } from "#schema/dates.ts";
import { BuildBadge, Checksum } from "./build-parts.tsx";
import classes from "./software.module.css";

type Channel = SoftwareChannelFieldsFragment;

/** Cards with the offered build of each stage, its minimum version and the rollback. */
export function ChannelCards(props: {
  channels: readonly Channel[];
  onRollBack: (channel: Channel) => void;
  onEditMinimum: (channel: Channel) => void;
}) {
  const { channels, onRollBack, onEditMinimum } = props;
  const [offering, idle] = [true, false].map((offers) =>
    channels.filter(({ offered }) => (offered !== null) === offers),
  ) as [Channel[], Channel[]];
  return (
    <div className={classes.stages}>
      {[offering, idle].map((some) => (
        <ul
          key={some === idle ? "idle" : "offering"}
          className={classes.channels}
          data-idle={some === idle || undefined}
        >
          {some.map((channel) => (
            <ChannelCard key={channel.stage} channel={channel} {...{ onRollBack, onEditMinimum }} />
          ))}
        </ul>
      ))}
    </div>
  );
}

function ChannelCard({
  channel,
  onRollBack,
  onEditMinimum,
}: {
  channel: Channel;
  onRollBack: (channel: Channel) => void;
  onEditMinimum: (channel: Channel) => void;
}) {
  const { stage, label, offered, previous } = channel;
  const nameId = useId();
  return (
    <li className={classes.channel} data-empty={offered === null || undefined} aria-labelledby={nameId}>
      <div className={classes.channelHead}>
        <h3 id={nameId}>{label}</h3>
        {offered && <BuildBadge state={offered.state} />}
      </div>
      {offered ? <Offered build={offered} /> : <p className={classes.quiet}>No build is offered.</p>}
      {stage === SoftwareStage.Production && (
        <div className={classes.minimum}>
          <p>
            {channel.minimumVersion ? (
              <>
                Oldest version that may run: <b>{channel.minimumVersion}</b>
              </>
            ) : (
              "Every version may run."
            )}
          </p>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={15} stroke={1.8} aria-hidden="true" />}
            onClick={() => onEditMinimum(channel)}
          >
            Set minimum version
          </Button>
        </div>
      )}
      {offered && previous && (
        <div className={classes.channelFoot}>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconArrowBackUp size={17} stroke={1.8} aria-hidden="true" />}
            onClick={() => onRollBack(channel)}
          >
            Roll back to {previous.version}
          </Button>
        </div>
      )}
    </li>
  );
}

function Offered({ build }: { build: NonNullable<Channel["offered"]> }) {
  const { version, publishedAt, sizeBytes, sha256, url, manifestUrl, downloads, fileName } = build;
  return (
    <>
      <p className={classes.version}>
        {version} <span>{publishedAt && `since ${formatDate(publishedAt)}`}</span>
      </p>
      <dl className={classes.facts}>
        <dt>Size</dt>
        <dd>{formatFileSize(sizeBytes)}</dd>
        <dt>Downloads</dt>
        <dd>
          {formatNumber(downloads.installer)}
          {manifestUrl && ` · ${formatNumber(downloads.application)} via ClickOnce`}
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <Checksum sha256={sha256} of={fileName} />
        </dd>
      </dl>
      <p className={classes.links}>
        <IconDownload size={17} stroke={1.8} aria-hidden="true" />
        {url && (
          <a href={url} download>
            Installer
          </a>
        )}
        {manifestUrl && (
          <a href={manifestUrl} download>
            .vsto
          </a>
        )}
      </p>
    </>
  );
}
