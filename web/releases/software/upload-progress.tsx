import { fileSize } from "#schema/file-size.ts";
import classes from "./upload-form.module.css";
import { isSent, type UploadStanding } from "./use-upload.ts";

/** How far an upload is: bytes, per cent, time left; then, that the server is looking at what it got. */
export function UploadProgress({ standing }: { standing: UploadStanding }) {
  const { sent, total, secondsLeft } = standing;
  const isChecking = isSent(standing);
  const percent = total > 0 ? Math.floor((100 * sent) / total) : 0;
  const words = isChecking ? "Checking the files" : "Uploading";
  return (
    <div className={classes.progress}>
      <div className={classes.standing}>
        <b role="status">{words}…</b>
        {!isChecking && <span>{percent} %</span>}
      </div>
      <progress aria-label={words} max={100} {...(isChecking ? {} : { value: percent })} />
      <p className={classes.bytes}>
        {isChecking
          ? `All ${fileSize(total)} have arrived. This takes a few seconds.`
          : [`${fileSize(sent)} of ${fileSize(total)}`, secondsLeft !== null && timeLeft(secondsLeft)]
              .filter(Boolean)
              .join(" · ")}
      </p>
    </div>
  );
}

/** Seconds as people say them; rounded, since nobody knows. */
export function timeLeft(seconds: number): string {
  if (seconds < 5) return "a few seconds left";
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes <= 1 ? "about a minute left" : `about ${minutes} minutes left`;
}
