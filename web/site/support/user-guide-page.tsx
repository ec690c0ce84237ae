import content from "content:pages/user-guide";
import { pictureByName } from "#web/site/pictures/by-name.ts";
import { type ScreenName, screens, type Screen } from "#web/site/screens/screens.ts";
import { Band, Split } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { Prose } from "#web/ui/prose.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./user-guide-page.module.css";
import contents from "#web/ui/contents-list.module.css";

const { start, steps, links, html } = content;

/** The steps, and the second-level headings of the text with the ids that the build created. */
const headings = [
  ...steps,
  ...[...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = "", inner = ""]) => ({
    id,
    title: inner.replace(/<[^>]+>/g, "").replaceAll("&amp;", "&"),
  })),
];

/** The user guide: from download to first conversion with pictures, and then what to know, with a table of contents. */
export default function UserGuidePage() {
  return (
    <>
      <PageHero content={content} />
      <Band id="guide" tone="surface">
        <Split columns="15rem minmax(0, 1fr)">
          <div className={layout.sticky}>
            <ContentsList />
          </div>
          <div>
            <p style={{ marginBottom: "2rem", color: "var(--xp-muted)" }}>
              <strong>{start.title}.</strong> {start.text}
            </p>
            <ol className={classes.steps}>
              {steps.map(({ id, title, html: text, picture, screen }) => (
                <li key={id}>
                  <div>
                    <h2 id={id}>{title}</h2>
                    <Prose html={text} />
                  </div>
                  <div className={layout.framed}>
                    <StepPicture picture={picture} screen={screen} />
                  </div>
                </li>
              ))}
            </ol>
            <Prose html={html} />
          </div>
        </Split>
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

const isScreen = (name: string): name is ScreenName => Object.hasOwn(screens, name);

/** A screenshot of the portal, or a drawing of the add-in. */
function StepPicture({ picture, screen }: { picture?: string | undefined; screen?: string | undefined }) {
  if (screen && isScreen(screen)) return <ScreenPicture name={screen} />;
  const Drawn = picture && pictureByName[picture];
  return Drawn ? <Drawn /> : null;
}

/**
 * Screenshot of the portal in the user's colour scheme. The page contains both files, because only the browser knows the
 * scheme. The hidden one is never loaded, because it is lazy.
 */
export function ScreenPicture({ name }: { name: ScreenName }) {
  const { alt, width, height }: Screen = screens[name];
  const size = { width, height, decoding: "async", loading: "lazy" } as const;
  return (
    <>
      {(["light", "dark"] as const).map((scheme) => (
        <img
          key={scheme}
          {...size}
          alt={alt}
          className={`${layout.framed} ${classes.screen}`}
          data-scheme={scheme}
          src={`/media/screens/${name}-${scheme}.webp`}
        />
      ))}
    </>
  );
}

function ContentsList() {
  return (
    <nav data-screen-only aria-labelledby="contents">
      <h2 id="contents" style={{ marginBottom: "0.5rem", fontSize: "1rem", letterSpacing: 0 }}>
        On this page
      </h2>
      <ol className={contents.list}>
        {headings.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
