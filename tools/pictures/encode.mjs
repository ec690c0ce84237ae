/** Runs the system programs that encode the pictures and the film for the web. */
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Programs and their Debian packages. */
const tools = { ffmpeg: "ffmpeg", cwebp: "webp" };

/** Returns a sentence that names missing programs and says how to install them; null if there are none. */
export function findMissingTools() {
  const missing = Object.keys(tools).filter((tool) => spawnSync(tool, ["-h"]).error);
  if (missing.length === 0) return null;
  return `Missing: ${missing.join(", ")}; run: apt-get install -y ${missing.map((tool) => tools[tool]).join(" ")}`;
}

/**
 * Writes a picture as WebP with the best quality that fits `limitKb`. The quality has a lower limit, below which text
 * gets blurry.
 */
export function writeWebp(png, file, limitKb) {
  mkdirSync(dirname(file), { recursive: true });
  for (const quality of ["80", "75", "70", "65", "60", "55"]) {
    command("cwebp", ["-quiet", "-m", "6", "-sharp_yuv", "-q", quality, "-o", file, "--", "-"], png);
    if (statSync(file).size <= limitKb * 1_000) return;
  }
}

/** Writes a picture as PNG with at most 256 colours, which is enough for drawings and screenshots. */
export function writeSmallPng(png, file) {
  mkdirSync(dirname(file), { recursive: true });
  const palette = "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none";
  command("ffmpeg", ["-loglevel", "error", "-y", "-i", "-", "-vf", palette, "-frames:v", "1", file], png);
}

/** Writes numbered frames as a silent film that starts playing before it has fully loaded. */
export function writeFilm(frames, framesPerSecond, file) {
  mkdirSync(dirname(file), { recursive: true });
  const rate = String(framesPerSecond);
  const h264 = ["-c:v", "libx264", "-preset", "veryslow", "-tune", "animation", "-crf", "28", "-pix_fmt", "yuv420p"];
  // Sets a key frame at each whole second, and an explicit colour space, so that players don't have to guess it.
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

function command(name, args, input) {
  const { status, stdout, stderr } = spawnSync(name, args, { input, maxBuffer: 64e6 });
  if (status !== 0) throw new Error(`${name} failed: ${stderr.toString()}`);
  return stdout;
}
