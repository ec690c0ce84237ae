/**
 * Creates the film of the first tutorial: drawn windows of the add-in and real screenshots of the portal, without
 * sound.
 */
import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brand } from "../../schema/brand.ts";
import { root } from "../../scripts/runtime.mjs";
import { buildCues, formatVtt } from "./captions.mjs";
import { openDrawn } from "./drawn-page.mjs";
import { writeFilm, writeWebp } from "./encode.mjs";
import { DEMO_PASSWORD, waitUntilIdle, openPage, signIn } from "./portal.mjs";

const FRAMES_PER_SECOND = 15;
const SECONDS = 45;
/** End of the last sentence, in seconds. The final frames have no new text. */
const LAST_SENTENCE_END = 44.4;
/** Number of sentences for which the film was drawn. */
const SENTENCES = 17;
/** The frame shown before the film plays. */
const POSTER_SECOND = 2.6;

/** Size of the portal's screenshots. The film enlarges them by a fifth, so that they are readable in a small player. */
const SCREEN = { width: 900, height: 820 };

const media = join(root, "web", "public", "media");
const buildPath = (ending) => join(media, `install-the-add-in.${ending}`);

/** Creates the film, captions and poster. */
export async function createFilm(portal) {
  const cues = await buildCues(1, LAST_SENTENCE_END);
  if (cues.length !== SENTENCES)
    throw new Error(`The film is drawn for ${SENTENCES} sentences; there are ${cues.length}.`);
  const { pictures, spots } = await captureScreens(portal);
  const look = { width: 1280, height: 720 };
  const page = await openDrawn(portal, "install.html", look, { brand, cues, spots, seconds: SECONDS }, pictures);
  const shot = async (second) => {
    const state = await page.evaluate((at) => window.showMoment(at), second);
    return { state, take: () => page.screenshot({ type: "png" }) };
  };

  const frames = mkdtempSync(join(tmpdir(), "portal-film-"));
  const frameFile = (index) => join(frames, `${String(index).padStart(5, "0")}.png`);
  let before = "";
  for (let index = 0; index < SECONDS * FRAMES_PER_SECOND; index += 1) {
    const { state, take } = await shot(index / FRAMES_PER_SECOND);
    if (state === before) linkSync(frameFile(index - 1), frameFile(index));
    else writeFileSync(frameFile(index), await take());
    before = state;
  }
  writeFilm(join(frames, "%05d.png"), FRAMES_PER_SECOND, buildPath("mp4"));
  rmSync(frames, { recursive: true });

  writeFileSync(buildPath("vtt"), formatVtt(cues));
  await writeWebp(await (await shot(POSTER_SECOND)).take(), buildPath("webp"), 40);
  return [
    { file: buildPath("mp4"), limitKb: 900 },
    { file: buildPath("vtt"), limitKb: 4 },
    { file: buildPath("webp"), limitKb: 40 },
  ];
}

/** Takes screenshots of the portal as PNG, and returns the positions where the cursor clicks, in pixels of the page. */
async function captureScreens(portal) {
  const page = await openPage(portal, SCREEN);
  const spot = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return { x: x + width / 2, y: y + height / 2, left: x, top: y, width, height };
  };
  const pictures = {};
  const spots = {};
  await page.goto("/login/");
  await waitUntilIdle(page);
  await page.getByLabel("Username").fill("trial@demo.test");
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
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
