import { type Screen, type ScreenName, screens } from "./screens.ts";
import classes from "./screen-picture.module.css";

/**
 * Screenshot of the portal in the user's colour scheme. The page contains both files, because only the browser knows the
 * scheme. The hidden one is never loaded, because it is lazy. Set `isFirst` if the picture is visible when the page opens.
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
