/**
 * Creates the committed pictures and the film from the running product: `node tools/media.mjs [screens|brand|film|docs
 * …]`. Creates all of them by default. Run it after changing a screen. Needs Chromium and Debian's ffmpeg, webp
 * and fonts-noto-cjk.
 */
import { productNode, run } from "../scripts/runtime.mjs";

// Only the product's Node version can import brand.ts directly.
if (Number(process.versions.node.split(".")[0]) < 24) {
  const { code } = await run([import.meta.filename, ...process.argv.slice(2)], { command: productNode(), show: true });
  process.exit(code);
}
const { createMedia } = await import("./media/create-media.mjs");
process.exit(await createMedia(process.argv.slice(2)));
