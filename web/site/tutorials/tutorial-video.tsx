import { IconDownload, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import classes from "./tutorial-video.module.css";

/**
 * A tutorial's film, which has no sound: the text beside it says the same, and so do its captions. Nothing of it is
 * fetched but the poster until somebody plays it. `src` is the address of the film; captions and poster lie beside it.
 * Until then one button stands on the poster; where no scripts run, the browser's controls do.
 */
export function TutorialVideo({ src, title }: { src: string; title: string }) {
  const [isScripted, setIsScripted] = useState(false);
  const [isBegun, setIsBegun] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const base = src.replace(/\.mp4$/, "");

  useEffect(() => {
    // A film that was begun before the scripts came keeps its controls.
    if (video.current && !video.current.paused) setIsBegun(true);
    setIsScripted(true);
  }, []);

  useEffect(() => {
    if (isBegun) video.current?.focus();
  }, [isBegun]);

  function begin() {
    setIsBegun(true);
    // A refusal leaves the controls, which say what there is to say.
    void video.current?.play().catch(() => undefined);
  }

  const isWaiting = isScripted && !isBegun;
  return (
    <div className={classes.frame}>
      <video
        ref={video}
        className={classes.video}
        controls={!isWaiting}
        tabIndex={isWaiting ? -1 : 0}
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
      {isWaiting && (
        <button type="button" className={classes.play} aria-label={`Play the film: ${title}`} onClick={begin}>
          <span className={classes.disc}>
            <IconPlayerPlayFilled size={26} aria-hidden="true" />
          </span>
        </button>
      )}
    </div>
  );
}

/** What the film at `src` is like, and the film to take along. */
export function FilmCaption({ src }: { src: string }) {
  return (
    <p className={classes.caption}>
      <span>45 seconds, no sound</span>
      <a href={src} download>
        <IconDownload size={17} stroke={1.8} aria-hidden />
        Download the film
      </a>
    </p>
  );
}
