import { IconDownload } from "@tabler/icons-react";
import classes from "./tutorial-video.module.css";

/**
 * A tutorial's film, which has no sound: the text beside it says the same, and so do its captions. Nothing of it is
 * fetched but the poster until somebody plays it. `src` is the address of the film; captions and poster lie beside it.
 */
export function TutorialVideo({ src, title }: { src: string; title: string }) {
  const base = src.replace(/\.mp4$/, "");
  return (
    <figure className={classes.figure}>
      <video
        className={classes.video}
        controls
        playsInline
        preload="none"
        poster={`${base}.webp`}
        width={1280}
        height={720}
        aria-label={`${title} (film without sound)`}
      >
        <source src={src} type="video/mp4" />
        <track kind="captions" src={`${base}.vtt`} srcLang="en" label="English" />
      </video>
      <figcaption className={classes.caption}>
        45 seconds, no sound.
        <a href={src} download>
          <IconDownload size={17} stroke={1.8} aria-hidden />
          Download the film
        </a>
      </figcaption>
    </figure>
  );
}
