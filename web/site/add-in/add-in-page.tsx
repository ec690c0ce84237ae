import states from "content:add-in-states";
import content from "content:pages/add-in";
import { paths } from "#web/platform/paths.ts";
import { ArrowLink } from "#web/ui/content-link.tsx";
import { Band } from "#web/ui/band.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { SectionNav } from "#web/ui/section-nav.tsx";
import classes from "./add-in-page.module.css";
import { LicencePane } from "./licence-pane.tsx";
import { ReleaseList } from "./release-list.tsx";
import { RibbonPicture } from "./ribbon-picture.tsx";

const { ribbon, panes, versions, changelog } = content;

/** The add-in as users see it: ribbon, licence pane in each state, supported programs and published versions. */
export default function AddInPage() {
  return (
    <>
      <PageHero title={content.title} heading={content.heading} lead={content.lead} />
      <SectionNav label={content.onThisPage} sections={[ribbon, panes, versions, changelog]} />
      <Band id={ribbon.id} title={ribbon.title} text={ribbon.text}>
        <RibbonPicture tabs={ribbon.tabs} buttons={ribbon.buttons} />
      </Band>
      <Band id={panes.id} title={panes.title} text={panes.text} tone="surface">
        <div className={classes.panes}>
          {states.map(({ title, text, message, isReady, sandbox, buttons, article }) => (
            <LicencePane
              key={title}
              title={title}
              message={message}
              isReady={isReady}
              codeLabel={panes.codeLabel}
              sandbox={sandbox}
              buttons={buttons}
            >
              <p>{text}</p>
              <ArrowLink
                to={paths.knowledgeBaseArticle.href({ article })}
                label={`${panes.moreLabel}: ${title.toLowerCase()}`}
              />
            </LicencePane>
          ))}
        </div>
      </Band>
      <Band id={versions.id} title={versions.title} text={versions.text}>
        <div className={`${layout.card} ${classes.frame}`}>
          <table className={classes.table}>
            <thead>
              <tr>
                {versions.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {versions.rows.map(({ name, supported, unsupported }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{supported}</td>
                  <td>{unsupported}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Band>
      <Band id={changelog.id} title={changelog.title} text={changelog.text} tone="surface">
        <ReleaseList words={changelog} notes={content.notes} />
        <PageLinks links={content.links} isEnd />
      </Band>
    </>
  );
}
