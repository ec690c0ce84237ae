import type { ComponentType } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";

const loaded = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyPart(async () => ({ default: await load() }), "nothing");

/** The pictures that a slide of the banner can name. */
export const bannerPictures: Record<string, ComponentType<PictureProps> | undefined> = {
  conversion: loaded(async () => (await import("#web/ui/pictures/conversion.tsx")).ConversionPicture),
  log: loaded(async () => (await import("#web/ui/pictures/log.tsx")).LogPicture),
  "health-check": loaded(async () => (await import("#web/ui/pictures/health-check.tsx")).HealthCheckPicture),
  "costs-and-resources": loaded(
    async () => (await import("#web/ui/pictures/costs-and-resources.tsx")).CostsAndResourcesPicture,
  ),
};

export const StillTierIcon = loaded(async () => (await import("#web/ui/pictures/tier-icon.tsx")).TierIcon);

export const StillMonogram = loaded(async () => (await import("#web/ui/pictures/monogram.tsx")).Monogram);
