import type { ComponentType } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { PictureProps } from "#web/features/pictures/parts.tsx";

const loaded = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyPart(async () => ({ default: await load() }), "nothing");

/** The pictures that a slide of the banner can name. */
export const bannerPictures: Record<string, ComponentType<PictureProps> | undefined> = {
  conversion: loaded(async () => (await import("#web/features/pictures/conversion.tsx")).ConversionPicture),
  log: loaded(async () => (await import("#web/features/pictures/log.tsx")).LogPicture),
  "health-check": loaded(async () => (await import("#web/features/pictures/health-check.tsx")).HealthCheckPicture),
  "costs-and-resources": loaded(
    async () => (await import("#web/features/pictures/costs-and-resources.tsx")).CostsAndResourcesPicture,
  ),
};

export const StillTierIcon = loaded(async () => (await import("#web/features/pictures/tier-icon.tsx")).TierIcon);

export const StillMonogram = loaded(async () => (await import("#web/features/pictures/monogram.tsx")).Monogram);
