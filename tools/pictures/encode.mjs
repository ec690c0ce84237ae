/** Encodes the pictures and the film for the web. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import sharp from "sharp";

/** Returns a sentence that says how to install ffmpeg, which encodes the film; null if it is installed. */
export function findMissingTools() {
  return spawnSync("ffmpeg", ["-h"]).error ? "Missing: ffmpeg; run: apt-get install -y ffmpeg" : null;
}

/**
 * Writes a picture as WebP with the best quality that fits `limitKb`. The quality has a lower limit, below which text
 * gets blurry.
 */
export async function writeWebp(png, file, limitKb) {
  mkdirSync(dirname(file), { recursive: true });
  for (const quality of [80, 75, 70, 65, 60, 55]) {
    const encoded = await sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer();
    writeFileSync(file, encoded);
    if (encoded.length <= limitKb * 1_000) return;
  }
}

/** Writes a picture as PNG with at most 256 colours, which is enough for drawings and screenshots. */
export async function writeSmallPng(png, file) {
  mkdirSync(dirname(file), { recursive: true });
  await sharp(png).png({ palette: true, dither: 0, effort: 10, compressionLevel: 9 }).toFile(file);
}

/** Writes numbered frames as a silent film that starts playing before it has fully loaded. */
export function writeFilm(frames, framesPerSecond, file) {
  mkdirSync(dirname(file), { recursive: true });
  const rate = String(framesPerSecond);
  const h264 = ["-c:v", "libx264", "-preset", "veryslow", "-tune", "animation", "-crf", "28", "-pix_fmt", "yuv420p"];
  // Sets an explicit colour space, so that players don't have to guess it.
  const colours = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];
  const filter = ["-vf", "scale=out_color_matrix=bt709:out_range=tv"];
  // Sets a key frame every five seconds.
  const ends = ["-g", String(framesPerSecond * 5), "-map_metadata", "-1", "-movflags", "+faststart", "-an", file];
  const input = ["-loglevel", "error", "-y", "-framerate", rate, "-i", frames];
  const { status, stderr } = spawnSync("ffmpeg", [...input, ...filter, ...h264, ...colours, ...ends]);
  if (status !== 0) throw new Error(`ffmpeg failed: ${stderr.toString()}`);
}
