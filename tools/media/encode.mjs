/** The programs of the system that write pictures and film in the formats of the web. */
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Program, and the Debian package that brings it. */
const tools = { ffmpeg: "ffmpeg", cwebp: "webp", pdftoppm: "poppler-utils" };

/** One sentence on what is missing and how to get it, or null. */
export function missingTools() {
  const missing = Object.keys(tools).filter((tool) => spawnSync(tool, ["-h"]).error);
  if (missing.length === 0) return null;
  return `Missing: ${missing.join(", ")}; run: apt-get install -y ${missing.map((tool) => tools[tool]).join(" ")}`;
}

/** Writes a picture as WebP, as good as `limitKb` allows; below the lowest quality letters would fray. */
export function writeWebp(png, file, limitKb) {
  mkdirSync(dirname(file), { recursive: true });
  for (const quality of ["80", "75", "70", "65", "60", "55"]) {
    command("cwebp", ["-quiet", "-m", "6", "-sharp_yuv", "-q", quality, "-o", file, "--", "-"], png);
    if (statSync(file).size <= limitKb * 1_000) return;
  }
}

/** Writes a picture as PNG of at most 256 colours, which drawn pictures and screens can do with. */
export function writeSmallPng(png, file) {
  mkdirSync(dirname(file), { recursive: true });
  const palette = "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none";
  command("ffmpeg", ["-loglevel", "error", "-y", "-i", "-", "-vf", palette, "-frames:v", "1", file], png);
}

/** Writes numbered frames as a film without sound that begins to play before all of it has come. */
export function writeFilm(frames, framesPerSecond, file) {
  mkdirSync(dirname(file), { recursive: true });
  const rate = String(framesPerSecond);
  const h264 = ["-c:v", "libx264", "-preset", "veryslow", "-tune", "animation", "-crf", "28", "-pix_fmt", "yuv420p"];
  // Whole seconds to jump to, and the colours of the screens said aloud, so that no player guesses them.
  const colours = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];
  const filter = ["-vf", "scale=out_color_matrix=bt709:out_range=tv"];
  const ends = ["-g", String(framesPerSecond * 5), "-map_metadata", "-1", "-movflags", "+faststart", "-an", file];
  command("ffmpeg", [
    "-loglevel",
    "error",
    "-y",
    "-framerate",
    rate,
    "-i",
    frames,
    ...filter,
    ...h264,
    ...colours,
    ...ends,
  ]);
}

/** The first page of a PDF as PNG, `width` pixels wide. */
export function firstPageOf(pdf, width) {
  const size = ["-scale-to-x", String(width), "-scale-to-y", "-1"];
  return command("pdftoppm", ["-png", "-f", "1", "-l", "1", "-singlefile", ...size, "-"], pdf);
}

function command(name, args, input) {
  const { status, stdout, stderr } = spawnSync(name, args, { input, maxBuffer: 64e6 });
  if (status !== 0) throw new Error(`${name} failed: ${stderr.toString()}`);
  return stdout;
}
