import { type Screen, type ScreenName, screens } from "./screens.ts";
import classes from "./screen-picture.module.css";

/**
 * Screenshot of the portal in the user's colour scheme. The page contains both files, because only the browser knows the
 * scheme. The hidden one is never loaded, because it is lazy.
 */
export function ScreenPicture({ name }: { name: ScreenName }) {
  const { alt, width, height }: Screen = screens[name];
  const size = { width, height, decoding: "async", loading: "lazy" } as const;
  return (
    <>
      {(["light", "dark"] as const).map((scheme) => (
        <img
          key={scheme}
          {...size}
          alt={alt}
          className={classes.picture}
          data-scheme={scheme}
          src={`${folder}${name}-${scheme}.webp`}
        />
      ))}
    </>
  );
}

const folder = "/media/screens/";
