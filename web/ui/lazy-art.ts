import { type ComponentProps, type ComponentType, lazy } from "react";
import type { ScheduleArt } from "./schedule-art.tsx";

/**
 * Ornament that few visits show; wants a `Suspense` with a space of its size. Where it can't be loaded, as when the server
 * is away, the words stand alone.
 */
export const LazyArt = lazy<ComponentType<ComponentProps<typeof ScheduleArt>>>(() =>
  import("./schedule-art.tsx").then(
    (file) => ({ default: file.ScheduleArt }),
    () => ({ default: () => null }),
  ),
);
