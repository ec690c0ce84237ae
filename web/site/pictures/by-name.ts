import type { ComponentType, ReactNode } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";

type NamedPicture = (props: PictureProps) => ReactNode;

const loaded = (load: () => Promise<ComponentType<PictureProps>>): NamedPicture =>
  lazyPart(async () => ({ default: await load() }), "nothing");

/**
 * Pictures by the names in `picture:` of web/site/content. Each loads its file when it is shown. Pages with a fixed picture
 * import it directly, so that it is prerendered.
 */
export const pictureByName: Record<string, NamedPicture | undefined> = {
  conversion: loaded(async () => (await import("./conversion.tsx")).ConversionPicture),
  log: loaded(async () => (await import("./log.tsx")).LogPicture),
  "health-check": loaded(async () => (await import("./health-check.tsx")).HealthCheckPicture),
  "costs-and-resources": loaded(async () => (await import("./costs-and-resources.tsx")).CostsAndResourcesPicture),
  "showcase-export": loaded(async () => (await import("./showcase-export.tsx")).ShowcaseExportPicture),
  "showcase-log": loaded(async () => (await import("./showcase-log.tsx")).ShowcaseLogPicture),
  "showcase-health": loaded(async () => (await import("./showcase-health.tsx")).ShowcaseHealthPicture),
  "showcase-analysis": loaded(async () => (await import("./showcase-analysis.tsx")).ShowcaseAnalysisPicture),
  "showcase-costs": loaded(async () => (await import("./showcase-costs.tsx")).ShowcaseCostsPicture),
  "showcase-month-end": loaded(async () => (await import("./showcase-month-end.tsx")).ShowcaseMonthEndPicture),
  "tutorial-install": loaded(async () => (await import("./tutorials.tsx")).TutorialInstallPicture),
  "tutorial-activate-code": loaded(async () => (await import("./tutorials.tsx")).TutorialActivateCodePicture),
  "tutorial-activate-sign-in": loaded(async () => (await import("./tutorials.tsx")).TutorialActivateSignInPicture),
  "tutorial-export": loaded(async () => (await import("./tutorials.tsx")).TutorialExportPicture),
  "tutorial-import": loaded(async () => (await import("./tutorials.tsx")).TutorialImportPicture),
  "tutorial-field-mapping": loaded(async () => (await import("./tutorials.tsx")).TutorialFieldMappingPicture),
  "tutorial-log-and-health": loaded(async () => (await import("./tutorials.tsx")).TutorialLogAndHealthPicture),
  "tutorial-move": loaded(async () => (await import("./tutorials.tsx")).TutorialMovePicture),
};
