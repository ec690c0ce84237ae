import states from "content:add-in-states";
import content from "content:pages/add-in";
import { paths } from "#web/platform/paths.ts";
import { ArrowLink } from "#web/ui/content-link.tsx";
import { Band } from "#web/ui/band.tsx";
import { FramedTable } from "#web/ui/framed-table.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { SectionNav } from "#web/ui/section-nav.tsx";
import classes from "./add-in-page.module.css";
import {
  IconFileExport,
  IconFileImport,
  IconHeartRateMonitor,
  IconKey,
  IconListCheck,
  IconTableOptions,
  IconX,
} from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import { type CSSProperties, useEffect, useState } from "react";
import { formatDate } from "#schema/dates.ts";
import { Moment } from "#web/ui/moment.tsx";

const { ribbon, panes, versions, changelog } = content;

/** The add-in as users see it: ribbon, licence pane in each state, supported programs and published versions. */
export default function AddInPage() {
  return (
    <>
      <PageHero content={content} />
      <SectionNav label={content.onThisPage} sections={[ribbon, panes, versions, changelog]} />
      <Band id={ribbon.id} title={ribbon.title} text={ribbon.text}>
        <RibbonPicture />
      </Band>
      <Band id={panes.id} title={panes.title} text={panes.text} tone="surface">
        <div className={layout.columns} style={{ "--min": "20rem" } as CSSProperties}>
          {states.map((state) => (
            <LicencePane key={state.title} {...state} />
          ))}
        </div>
      </Band>
      <Band id={versions.id} title={versions.title} text={versions.text}>
        <FramedTable
          columns={versions.columns}
          rows={versions.rows.map(({ name, supported, unsupported }) => [name, supported, unsupported])}
        />
      </Band>
      <Band id={changelog.id} title={changelog.title} text={changelog.text} tone="surface">
        <ReleaseList />
        <PageLinks links={content.links} isEnd />
      </Band>
    </>
  );
}

const icons = [IconFileExport, IconFileImport, IconTableOptions, IconHeartRateMonitor, IconListCheck, IconKey];

/** The add-in's tab on the planning program's ribbon. Its buttons are drawn. */
function RibbonPicture() {
  return (
    <div className={`${layout.framed} ${classes.ribbon}`}>
      <ul className={classes.tabs} aria-label="Tabs">
        {ribbon.tabs.map((tab) => (
          <li key={tab}>{tab}</li>
        ))}
        <li data-current>{brand.productName}</li>
      </ul>
      <ul className={classes.buttons} aria-label={`Buttons of the tab ${brand.productName}`}>
        {ribbon.buttons.map((button, index) => {
          const Icon = icons[index];
          return (
            <li key={button}>
              {Icon && <Icon size={28} stroke={1.6} aria-hidden="true" />}
              {button}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface Release {
  readonly version: string;
  readonly publishedAtUtc: string;
}

/**
 * Published versions of the add-in, newest first. The build of the site doesn't know them, so they load in the browser. A
 * version without a note has only its date.
 */
function ReleaseList() {
  const [releases, setReleases] = useState<readonly Release[] | "loading" | "failed">("loading");
  useEffect(() => {
    const controller = new AbortController();
    loadReleases(controller.signal).then(setReleases, () => controller.signal.aborted || setReleases("failed"));
    return () => controller.abort();
  }, []);
  if (releases === "loading" || releases === "failed") return <p role="status">{changelog[releases]}</p>;
  if (releases.length === 0) return <p role="status">{changelog.empty}</p>;
  return (
    <ol className={`${layout.rows} ${classes.releases}`}>
      {releases.map(({ version, publishedAtUtc }) => (
        <li key={version}>
          <h3>{version}</h3>
          <Moment at={publishedAtUtc} as={formatDate} />
          <p style={{ margin: 0 }}>{content.notes.find((note) => note.version === version)?.text}</p>
        </li>
      ))}
    </ol>
  );
}

async function loadReleases(signal: AbortSignal): Promise<readonly Release[]> {
  const response = await fetch("/v1/software/releases", { headers: { Accept: "application/json" }, signal });
  if (!response.ok) throw new Error(`GET /v1/software/releases returned ${response.status}`);
  return (await response.json()) as readonly Release[];
}

/**
 * The add-in's task pane in one state, as it looks in the planning program. Its buttons are drawn. The sandbox code returns
 * this state. It is empty if no licence code is involved.
 */
function LicencePane({ title, text, message, isReady, sandbox, buttons, article }: (typeof states)[number]) {
  return (
    <figure style={{ display: "grid", gridRow: "span 2", gridTemplateRows: "subgrid", gap: "1rem", margin: 0 }}>
      <div className={`${layout.framed} ${classes.pane}`}>
        <div className={classes.bar}>
          <span>{brand.productName}</span>
          <IconX size={14} aria-hidden="true" />
        </div>
        <div style={{ display: "grid", gridTemplateRows: "1fr auto auto", gap: "0.875rem", padding: "0.875rem" }}>
          <p
            className={layout.marked}
            style={{ "--tone": `var(--xp-${isReady ? "bar" : "milestone"})` } as CSSProperties}
          >
            {message}
          </p>
          <div className={classes.code}>
            <span>{panes.codeLabel}</span>
            <code>{sandbox || "\u00A0"}</code>
          </div>
          <div className={classes.paneButtons}>
            {buttons.map((button, index) => (
              <span key={button} data-first={index === 0 || undefined}>
                {button}
              </span>
            ))}
          </div>
        </div>
      </div>
      <figcaption>
        <h3>{title}</h3>
        <p>{text}</p>
        <ArrowLink
          to={paths.knowledgeBaseArticle.href({ article })}
          label={`${panes.moreLabel}: ${title.toLowerCase()}`}
        />
      </figcaption>
    </figure>
  );
}
