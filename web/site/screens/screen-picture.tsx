import { type Screen, type ScreenName, screens } from "./screens.ts";
import classes from "./screen-picture.module.css";

/**
 * A real screen of the portal in the reader's colour scheme. Both files stand in the page, since the scheme is known
 * only in the browser; the hidden one is never fetched, because it is lazy. `isFirst` is for a picture that is in
 * sight when the page opens.
 */
export function ScreenPicture({ name, isFirst = false }: { name: ScreenName; isFirst?: boolean }) {
  const { alt, width, height, isPaper }: Screen = screens[name];
  const size = { width, height, decoding: "async", loading: "lazy" } as const;
  const priority = isFirst ? "high" : undefined;
  if (isPaper)
    return (
      <img {...size} alt={alt} className={classes.picture} fetchPriority={priority} src={`${folder}${name}.webp`} />
    );
  return (
    <>
      {(["light", "dark"] as const).map((scheme) => (
        <img
          key={scheme}
          {...size}
          alt={alt}
          className={classes.picture}
          data-scheme={scheme}
          fetchPriority={priority}
          src={`${folder}${name}-${scheme}.webp`}
        />
      ))}
    </>
  );
}

const folder = "/media/screens/";
