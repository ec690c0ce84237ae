import content from "content:pages/schedule-conversion-services";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.scheduleConversion`. */
export default function ScheduleConversionPage() {
  return <PlainPage content={content} />;
}
