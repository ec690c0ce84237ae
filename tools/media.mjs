/**
 * Makes the pictures and the film that are committed, from the product itself: `node tools/media.mjs [part …]`,
 * the parts being `screens`, `brand`, `film` and `docs`; all without one. Run it by hand when a screen has changed.
 * Needs Chromium as the tests do, and ffmpeg, webp, poppler-utils and fonts-noto-cjk of Debian: names are of every script.
 */
import { productNode, run } from "../scripts/runtime.mjs";

// brand.ts is read as it stands, which needs the Node that the product brings.
if (Number(process.versions.node.split(".")[0]) < 24) {
  const { code } = await run([import.meta.filename, ...process.argv.slice(2)], { command: productNode(), show: true });
  process.exit(code);
}
const { makeMedia } = await import("./media/make-media.mjs");
process.exit(await makeMedia(process.argv.slice(2)));
