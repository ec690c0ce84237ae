import type { ComponentType } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";

const lazyPicture = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyPart(async () => ({ default: await load() }), "nothing");

/** Pictures for banner slides, by name. */
export const bannerPictures: Record<string, ComponentType<PictureProps> | undefined> = {
  conversion: lazyPicture(async () => (await import("#web/site/pictures/conversion.tsx")).ConversionPicture),
  log: lazyPicture(async () => (await import("#web/site/pictures/log.tsx")).LogPicture),
  "health-check": lazyPicture(async () => (await import("#web/site/pictures/health-check.tsx")).HealthCheckPicture),
  "costs-and-resources": lazyPicture(
    async () => (await import("#web/site/pictures/costs-and-resources.tsx")).CostsAndResourcesPicture,
  ),
};

export const StillMonogram = lazyPicture(async () => (await import("#web/site/pictures/monogram.tsx")).Monogram);
