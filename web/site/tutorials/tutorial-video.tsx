import { IconDownload, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import layout from "#web/ui/layout.module.css";
import classes from "./tutorial-video.module.css";

/**
 * Silent video of a tutorial with captions. Only the poster is loaded until the user plays the video. `src` is the URL of
 * the video; captions and poster are in the same folder. Before playback, the poster shows a button, or the browser's
 * controls if there is no JavaScript.
 */
export function TutorialVideo({ src, title }: { src: string; title: string }) {
  const [isScripted, setIsScripted] = useState(false);
  const [hasStarted, setHasStarted] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const base = src.replace(/\.mp4$/, "");

  useEffect(() => {
    // Keeps the controls if the video was started before hydration.
    if (video.current && !video.current.paused) setHasStarted(true);
    setIsScripted(true);
  }, []);

  useEffect(() => {
    if (hasStarted) video.current?.focus();
  }, [hasStarted]);

  function start() {
    setHasStarted(true);
    // If playback fails, the browser's controls show the error.
    void video.current?.play().catch(() => undefined);
  }

  const isWaiting = isScripted && !hasStarted;
  return (
    <div style={{ position: "relative" }} data-screen-only>
      <video
        ref={video}
        className={layout.framed}
        style={{
          display: "block",
          width: "100%",
          height: "auto",
          aspectRatio: "16 / 9",
          background: "var(--xp-night)",
        }}
        controls={!isWaiting}
        tabIndex={isWaiting ? -1 : 0}
        playsInline
        preload="none"
        poster={`${base}.webp`}
        width={1280}
        height={720}
        aria-label={`${title} (video without sound)`}
      >
        <source src={src} type="video/mp4" />
        <track kind="captions" src={`${base}.vtt`} srcLang="en" label="English" />
      </video>
      {isWaiting && (
        <button type="button" className={classes.play} aria-label={`Play the video: ${title}`} onClick={start}>
          <span className={classes.disc}>
            <IconPlayerPlayFilled size={26} aria-hidden="true" />
          </span>
        </button>
      )}
    </div>
  );
}

/** Length of the video at `src`, with a download link. */
export function VideoCaption({ src }: { src: string }) {
  return (
    <p className={`${layout.note} ${layout.actions}`} data-screen-only>
      <span>45 seconds, no sound</span>
      <a href={src} download className={layout.link}>
        <IconDownload size={17} stroke={1.8} aria-hidden />
        Download the video
      </a>
    </p>
  );
}
