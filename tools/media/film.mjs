/** The film of the first tutorial: drawn windows of the add-in, real screens of the portal, and no sound. */
import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brand } from "../../schema/brand.ts";
import { root } from "../../scripts/runtime.mjs";
import { cuesOf, writtenAsVtt } from "./captions.mjs";
import { openDrawn } from "./drawn-page.mjs";
import { writeFilm, writeWebp } from "./encode.mjs";
import { atRest, openPage, signIn } from "./portal.mjs";

const FRAMES_PER_SECOND = 15;
const SECONDS = 45;
/** The last frames stand without a new sentence. */
const LAST_WORD = 44.4;
/** What the drawing was made for; another number of sentences wants another drawing. */
const SENTENCES = 17;
/** The moment that stands before anybody presses play. */
const POSTER_SECOND = 2.6;

/** Size of the portal's screens; the film shows them a fifth larger, to be read in a small player. */
const SCREEN = { width: 900, height: 820 };

const media = join(root, "web", "public", "media");
const pathOf = (ending) => join(media, `install-the-add-in.${ending}`);

/** Film, captions and poster. `FILM_SECONDS=3,14.5` looks at single moments instead, as PNG in the folder for temporary files. */
export async function makeFilm(portal) {
  const cues = await cuesOf(1, LAST_WORD);
  if (cues.length !== SENTENCES)
    throw new Error(`The film is drawn for ${SENTENCES} sentences; there are ${cues.length}.`);
  const { pictures, spots } = await screensOf(portal);
  const look = { width: 1280, height: 720 };
  const page = await openDrawn(portal, "install.html", look, { brand, cues, spots, seconds: SECONDS }, pictures);
  const shot = async (second) => {
    const state = await page.evaluate((at) => window.showMoment(at), second);
    return { state, take: () => page.screenshot({ type: "png" }) };
  };
  if (process.env.FILM_SECONDS) return lookAtMoments(shot);

  const frames = mkdtempSync(join(tmpdir(), "portal-film-"));
  const nameOf = (index) => join(frames, `${String(index).padStart(5, "0")}.png`);
  let before = "";
  for (let index = 0; index < SECONDS * FRAMES_PER_SECOND; index += 1) {
    const { state, take } = await shot(index / FRAMES_PER_SECOND);
    if (state === before) linkSync(nameOf(index - 1), nameOf(index));
    else writeFileSync(nameOf(index), await take());
    before = state;
  }
  writeFilm(join(frames, "%05d.png"), FRAMES_PER_SECOND, pathOf("mp4"));
  rmSync(frames, { recursive: true });

  writeFileSync(pathOf("vtt"), writtenAsVtt(cues));
  writeWebp(await (await shot(POSTER_SECOND)).take(), pathOf("webp"), 40);
  return [
    { file: pathOf("mp4"), limitKb: 900 },
    { file: pathOf("vtt"), limitKb: 4 },
    { file: pathOf("webp"), limitKb: 40 },
  ];
}

async function lookAtMoments(shot) {
  const files = process.env.FILM_SECONDS.split(",").map((second) => [
    Number(second),
    join(tmpdir(), `film-${second}.png`),
  ]);
  for (const [second, file] of files) writeFileSync(file, await (await shot(second)).take());
  return files.map(([, file]) => ({ file, limitKb: 1_000 }));
}

/** The screens of the portal as PNG, and where on them the cursor has something to do, in pixels of the page. */
async function screensOf(portal) {
  const page = await openPage(portal, SCREEN);
  const spot = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return { x: x + width / 2, y: y + height / 2, left: x, top: y, width, height };
  };
  const pictures = {};
  const spots = {};
  await page.goto("/login/");
  await atRest(page);
  await page.getByLabel("Username").fill("trial@demo.test");
  await page.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
  await page.evaluate(() => document.activeElement.blur());
  spots.login = await spot(page.getByRole("button", { name: "Login" }));
  pictures["login.png"] = await page.screenshot();
  await signIn(page, "trial");
  const more = page.locator("table tbody button").first();
  spots.more = await spot(more);
  pictures["account.png"] = await page.screenshot();
  await more.click();
  const download = page.getByRole("menuitem", { name: /Download/ });
  await download.hover();
  spots.download = await spot(download);
  pictures["menu.png"] = await page.screenshot();
  await page.context().close();
  return { pictures, spots };
}
